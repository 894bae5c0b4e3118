/* --- A small network ---
 *
 * An input is a fact about the position: an own piece on a square, some money left. The first layer
 * adds up a row of numbers for each input that is true, once as Black sees the board and once as
 * White does. The second layer clips and squares both sums, the side to move first, and weighs
 * them; its weights depend on the number of pieces.
 *
 * Two positions that are evaluated one after the other in a search differ in few inputs. So the
 * sums are kept, and only rows that differ are added and subtracted (the idea of Nasu's NNUE,
 * 2018).
 */
struct NetInputs {
    int count, list[96];

    NetInputs() : count(0), list() {}
    void add(int input) { list[count++] = input; }
};

template <int INPUTS, int HIDDEN, int BUCKETS> struct Net {
    std::int16_t rows[INPUTS + 1][HIDDEN]; // the last one is what the sums begin with
    std::int16_t last[BUCKETS][2][HIDDEN];
    int bias[BUCKETS], scale;

    std::int16_t sums[2][HIDDEN]; // by the side that looks
    NetInputs inputs[2];          // that are in the sums
    int mark[INPUTS], latest_mark;

    void read()
    {
        NumberReader reader;
        for (int i = 0; i < 3; i++)
            reader.next(); // the sizes
        scale = reader.next();
        for (auto &row : rows)
            for (std::int16_t &weight : row)
                weight = static_cast<std::int16_t>(reader.next());
        for (auto &bucket : last)
            for (auto &side : bucket)
                for (std::int16_t &weight : side)
                    weight = static_cast<std::int16_t>(reader.next());
        for (int &number : bias) {
            int low = reader.next(), middle = reader.next();
            number = low + 4096 * (middle + 4096 * reader.next());
        }
        std::memcpy(sums[0], rows[INPUTS], sizeof sums[0]);
        std::memcpy(sums[1], rows[INPUTS], sizeof sums[1]);
    }

    void add_row(std::int16_t *sum, int input, int sign)
    {
        for (int i = 0; i < HIDDEN; i++)
            sum[i] = static_cast<std::int16_t>(sum[i] + sign * rows[input][i]);
    }

    /* Changes a side's sums to those of other inputs. */
    void change(int side, const NetInputs &wanted)
    {
        NetInputs &present = inputs[side];
        latest_mark += 2;
        for (int i = 0; i < present.count; i++)
            mark[present.list[i]] = latest_mark;
        for (int i = 0; i < wanted.count; i++) {
            if (mark[wanted.list[i]] != latest_mark)
                add_row(sums[side], wanted.list[i], 1);
            mark[wanted.list[i]] = latest_mark + 1;
        }
        for (int i = 0; i < present.count; i++)
            if (mark[present.list[i]] == latest_mark)
                add_row(sums[side], present.list[i], -1);
        present = wanted;
    }

    static int weigh(const std::int16_t *sum, const std::int16_t *weights)
    {
        int total = 0;
        for (int i = 0; i < HIDDEN; i++) {
            std::int16_t clipped = std::min<std::int16_t>(255, std::max<std::int16_t>(0, sum[i]));
            std::int16_t square =
                static_cast<std::int16_t>(static_cast<std::uint16_t>(clipped * clipped) >> 3);
            total += square * weights[i];
        }
        return total;
    }

    /* In hundredths, for `side`, which is to move; by the side that looks, the inputs that are
     * true. */
    int value(int bucket, int side, const NetInputs wanted[2])
    {
        change(0, wanted[0]);
        change(1, wanted[1]);
        std::int64_t total = static_cast<std::int64_t>(bias[bucket]) +
                             weigh(sums[side], last[bucket][0]) +
                             weigh(sums[1 - side], last[bucket][1]);
        std::int64_t value = total * scale / (255 * 255 * 128);
        return static_cast<int>(
            std::max<std::int64_t>(-10000, std::min<std::int64_t>(10000, value)));
    }
};
