@include clients/agent/numbers.hpp

/* --- What a position is worth ---
 *
 * A shape is a few squares: an edge, a corner's neighbourhood, a row, a diagonal. Its contents,
 * each square empty, own or the other's, are a number in base three, and every number has a learned
 * weight (Buro, 1997). A shape is looked at in every place to which turning and mirroring the board
 * brings it. Four counts have weights as well: moves to the border, empty squares, quadrants with
 * an odd number of them, and discs. The sum estimates the final difference in discs.
 */
struct Shape {
    int size;
    int squares[10]; // the digit of squares[i] is worth 3 to the power of i
};

enum {
    SHAPES = 12,
    PLACES = 50,
    PADDED_PLACES = 56, // whole vectors of eight
    SETS = 5,           // of weights, for 12, 24, 36, 48 and 60 empty squares
    SET_STEP = 12,
    MOST = 32, // counts of moves and discs that have weights of their own
    COUNT_WEIGHT = 8,
    UNITS_OF_A_DISC = 8,
};

static const Shape SHAPE_LIST[SHAPES] = {
    {10, {1, 2, 3, 4, 5, 6, 9, 10, 13, 14}}, // the edge
    {10, {1, 2, 3, 4, 5, 8, 9, 10, 11, 12}}, // two rows at a corner
    {9, {27, 1, 2, 8, 9, 10, 16, 17, 18}},   // a corner, and 27 instead of the hole
    {9, {9, 10, 11, 17, 18, 19, 25, 26, 27}},
    {8, {8, 9, 10, 11, 12, 13, 14, 15}},
    {8, {16, 17, 18, 19, 20, 21, 22, 23}},
    {8, {24, 25, 26, 27, 28, 29, 30, 31}},
    {8, {0, 9, 18, 27, 36, 45, 54, 63}},
    {7, {1, 10, 19, 28, 37, 46, 55}},
    {6, {2, 11, 20, 29, 38, 47}},
    {5, {3, 12, 21, 30, 39}},
    {4, {4, 13, 22, 31}},
};

/* The eight ways to turn and mirror the board. */
static int turned(int square, int way)
{
    int row = square / 8, column = square % 8;
    if (way & 1)
        row = 7 - row;
    if (way & 2)
        column = 7 - column;
    return way & 4 ? 8 * column + row : 8 * row + column;
}

static int power_of_three(int exponent)
{
    return exponent == 0 ? 1 : 3 * power_of_three(exponent - 1);
}

/* Tables that are made once. A place's number is a sum over squares, so the numbers of all places
 * together are a sum of vectors: one for the contents of each half row, by the mover's discs, and
 * twice that for the other's. */
struct PatternTables {
    std::uint16_t parts[16][16][PADDED_PLACES]; // [half row][its discs][place]
    int place_weights[PLACES]; // where the weights of the place's shape begin, in a set
    std::vector<std::int8_t> weights[SETS];
    std::vector<std::int8_t> of_moves[SETS], of_empty[SETS], of_odd[SETS], of_discs[SETS];
};

static PatternTables tables;

/* Adds a place: `squares[i]` has the digit worth 3 to the power of i. */
static void add_place(int place, int size, const int *squares)
{
    for (int i = 0; i < size; i++)
        for (int discs = 0; discs < 16; discs++)
            if (discs >> (squares[i] % 4) & 1)
                tables.parts[squares[i] / 4][discs][place] +=
                    static_cast<std::uint16_t>(power_of_three(i));
}

/* Finds all places of a shape. Where a turn brings it onto its own squares, it is the same place
 * read in another order: returns that order, in `order`, and true. */
static bool find_places(const Shape &shape, int begin, int &place, int *order)
{
    std::vector<Squares> seen;
    bool is_symmetric = false;
    for (int way = 0; way < 8; way++) {
        int squares[10];
        Squares set = 0;
        for (int i = 0; i < shape.size; i++) {
            squares[i] = turned(shape.squares[i], way);
            set |= Squares(1) << squares[i];
        }
        if (std::find(seen.begin(), seen.end(), set) == seen.end()) {
            seen.push_back(set);
            tables.place_weights[place] = begin;
            add_place(place++, shape.size, squares);
        } else if (set == seen[0] && !std::equal(squares, squares + shape.size, shape.squares)) {
            is_symmetric = true;
            for (int i = 0; i < shape.size; i++)
                order[i] = static_cast<int>(
                    std::find(shape.squares, shape.squares + shape.size, squares[i]) -
                    shape.squares);
        }
    }
    return is_symmetric;
}

/* The number of the same contents, read in another order. */
static int reordered(int number, int size, const int *order)
{
    int result = 0;
    for (int i = 0; i < size; i++, number /= 3)
        result += number % 3 * power_of_three(order[i]);
    return result;
}

static std::vector<std::int8_t> read_table(NumberReader &reader, int size)
{
    std::vector<std::int8_t> table;
    for (int i = 0; i < size; i++)
        table.push_back(static_cast<std::int8_t>(reader.next()));
    return table;
}

/* The file has a weight once for both orders of a symmetric shape, at the smaller number. */
static void prepare()
{
    NumberReader reader;
    int order[SHAPES][10], begins[SHAPES + 1] = {0}, place = 0;
    bool is_symmetric[SHAPES];
    for (int i = 0; i < SHAPES; i++) {
        begins[i + 1] = begins[i] + power_of_three(SHAPE_LIST[i].size);
        is_symmetric[i] = find_places(SHAPE_LIST[i], begins[i], place, order[i]);
    }
    for (int set = 0; set < SETS; set++) {
        tables.weights[set].resize(begins[SHAPES]);
        for (int i = 0; i < SHAPES; i++) {
            std::int8_t *weights = &tables.weights[set][begins[i]];
            for (int number = 0; number < begins[i + 1] - begins[i]; number++) {
                int twin =
                    is_symmetric[i] ? reordered(number, SHAPE_LIST[i].size, order[i]) : number;
                weights[number] =
                    twin < number ? weights[twin] : static_cast<std::int8_t>(reader.next());
            }
        }
        tables.of_moves[set] = read_table(reader, MOST * MOST);
        tables.of_empty[set] = read_table(reader, 37 * 29);
        tables.of_odd[set] = read_table(reader, 6);
        tables.of_discs[set] = read_table(reader, MOST * MOST);
    }
}

/* Which quadrants have an odd number of empty squares: none, one, two neighbours, two others,
 * three, or all. */
static int odd_quadrants(Squares empty)
{
    static const int kinds[16] = {0, 1, 1, 2, 1, 2, 3, 4, 1, 3, 2, 4, 2, 4, 4, 5};
    const Squares quadrant = 0x0F0F0F0F;
    return kinds[(count_of(empty & quadrant) & 1) | (count_of(empty & quadrant << 4) & 1) << 1 |
                 (count_of(empty & quadrant << 32) & 1) << 2 |
                 (count_of(empty & quadrant << 36) & 1) << 3];
}

/* The sum of one set of weights. */
static int weigh(int set, const std::uint16_t *numbers, int moves, int empty, int odd, int discs)
{
    const std::int8_t *weights = tables.weights[set].data();
    int sum = 0;
    for (int i = 0; i < PLACES; i++)
        sum += weights[tables.place_weights[i] + numbers[i]];
    return sum + COUNT_WEIGHT * (tables.of_moves[set][moves] + tables.of_empty[set][empty] +
                                 tables.of_odd[set][odd] + tables.of_discs[set][discs]);
}

/* In hundredths of a disc, between two sets of weights. */
static int evaluate(const Position &p)
{
    std::uint16_t numbers[PADDED_PLACES] = {0};
    for (int half = 0; half < 16; half++) {
        const std::uint16_t *own = tables.parts[half][p.own >> 4 * half & 15];
        const std::uint16_t *other = tables.parts[half][p.other >> 4 * half & 15];
        for (int i = 0; i < PADDED_PLACES; i++)
            numbers[i] = static_cast<std::uint16_t>(numbers[i] + own[i] + 2 * other[i]);
    }
    Squares empty = empty_of(p.own, p.other), border = empty & ~CENTRE;
    int moves = std::min(MOST - 1, count_of(reach_of(p.own, p.other) & border)) * MOST +
                std::min(MOST - 1, count_of(reach_of(p.other, p.own) & border));
    int discs = std::min(MOST - 1, count_of(p.own)) * MOST + std::min(MOST - 1, count_of(p.other));
    int empties = count_of(empty & CENTRE) * 29 + count_of(border), odd = odd_quadrants(empty);
    int above = std::max(0, count_of(empty) - SET_STEP), set = above / SET_STEP,
        share = above % SET_STEP;
    int value = weigh(set, numbers, moves, empties, odd, discs) * (SET_STEP - share);
    if (share)
        value += weigh(set + 1, numbers, moves, empties, odd, discs) * share;
    return value * 100 / (UNITS_OF_A_DISC * SET_STEP);
}

/* --- What the search asks of the game --- */

enum { HISTORY_SLOTS = 65, MARGIN = 180, REDUCTION = 0, LATE_MOVES = 0 };

/* ProbCut, by depth. A margin is half to one standard deviation of the difference between the two
 * searches; depths of the same parity agree better. */
static const Probe PROBES[] = {{0, 0},   {0, 0},   {0, 0},   {1, 185}, {2, 160}, {3, 128},
                               {2, 193}, {3, 164}, {4, 153}, {5, 142}, {4, 175}, {5, 160},
                               {6, 150}, {5, 170}, {6, 165}, {7, 160}, {8, 150}};

static int history_slot(const Position &, const Move &move) { return move.square + 1; }

/* Fewer answers for the other side first. */
static int order_hint(const Position &p, const Move &move)
{
    Position after = p;
    apply(after, move);
    return -400 * count_of(legal_of(after.own, after.other));
}

static bool is_quiet(const Position &, const Move &) { return true; }
static int generate_noisy(const Position &, Move *) { return 0; }
static bool is_threatened(const Position &) { return false; }
static std::uint64_t repetition_key(const Position &) { return 0; } // discs never leave the board
static int repetition_score(const Position &) { return 0; }

/* --- The end of the game, exactly ---
 *
 * With few empty squares the game is played to its end: alpha-beta over the final difference in
 * discs, without estimates. Two things keep the tree small. With at least SORT_EMPTIES empty
 * squares the moves that leave the fewest answers come first. With fewer, sorting costs more than
 * it saves, and parity decides: in a quadrant with an odd number of empty squares, the side that
 * begins there also makes the last move there, which nothing can turn back.
 */
enum { SOLVE_EMPTIES = 6, SORT_EMPTIES = 7, NO_MOVE = -100 };

static const Squares QUADRANTS[4] = {0x000000000F0F0F0F, 0x00000000F0F0F0F0, 0x0F0F0F0F00000000,
                                     0xF0F0F0F000000000};

static int solve_discs(const Position &p, int alpha, int beta, bool has_passed);

static int solve_in_order(const Position &p, const Move *moves, int count, int alpha, int beta)
{
    int best = NO_MOVE;
    for (int i = 0; i < count && best < beta; i++) {
        Position after = p;
        apply(after, moves[i]);
        best = std::max(best, -solve_discs(after, -beta, -std::max(alpha, best), false));
    }
    return best;
}

static int sort_by_answers(const Position &p, Squares legal, Move *moves)
{
    int count = 0, hints[MAX_MOVES];
    for (; legal; legal &= legal - 1) {
        Move move = {first_of(legal)};
        int hint = order_hint(p, move), at = count++;
        for (; at > 0 && hints[at - 1] < hint; at--) {
            moves[at] = moves[at - 1];
            hints[at] = hints[at - 1];
        }
        moves[at] = move;
        hints[at] = hint;
    }
    return count;
}

static int sort_by_parity(Squares empty, Squares legal, Move *moves)
{
    Squares odd = 0;
    for (Squares quadrant : QUADRANTS)
        odd |= count_of(empty & quadrant) & 1 ? quadrant : 0;
    int count = 0;
    for (Squares first = legal & odd; first; first &= first - 1)
        moves[count++].square = first_of(first);
    for (Squares then = legal & ~odd; then; then &= then - 1)
        moves[count++].square = first_of(then);
    return count;
}

/* The last empty square: who flips something there takes it; a square of the centre needs no flip.
 * */
static int solve_last(const Position &p, int square)
{
    int flips = count_of(flips_of(p.own, p.other, square));
    if (flips || CENTRE >> square & 1)
        return lead_of(p) + 2 * flips + 1;
    flips = count_of(flips_of(p.other, p.own, square));
    return flips ? lead_of(p) - 2 * flips - 1 : lead_of(p);
}

/* The final difference in discs, exact between alpha and beta and a bound outside; meaningless when
 * the time is over. */
static int solve_discs(const Position &p, int alpha, int beta, bool has_passed)
{
    Squares empty = empty_of(p.own, p.other);
    if (!(empty & (empty - 1)))
        return empty ? solve_last(p, first_of(empty)) : lead_of(p);
    if (is_time_over())
        return 0;
    Squares legal = legal_of(p.own, p.other);
    if (!legal) {
        Position after = {p.other, p.own};
        return has_passed ? lead_of(p) : -solve_discs(after, -beta, -alpha, true);
    }
    Move moves[MAX_MOVES];
    int count = count_of(empty) >= SORT_EMPTIES ? sort_by_answers(p, legal, moves)
                                                : sort_by_parity(empty, legal, moves);
    return solve_in_order(p, moves, count, alpha, beta);
}

/* The largest difference in discs with a score that is not above this one. */
static int discs_below(int score)
{
    if (score < -FINAL)
        return -((-score - FINAL + 999) / 1000);
    return score < 0 ? -1 : score < FINAL ? 0 : (score - FINAL) / 1000;
}

/* Takes over where the search would look to the end, and a few moves earlier. */
static bool solve(const Position &p, int depth, int alpha, int beta, int &score)
{
    int empties = count_of(empty_of(p.own, p.other));
    if (empties > depth && empties > SOLVE_EMPTIES)
        return false;
    int lead = solve_discs(p, discs_below(alpha), -discs_below(-beta), false);
    score = lead > 0 ? FINAL + 1000 * lead : lead < 0 ? 1000 * lead - FINAL : 0;
    return true;
}
