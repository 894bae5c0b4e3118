/* --- Weights as text ---
 *
 * The weights at the end of this file are numbers between -3612 and 3612, and most of them are
 * small. A letter stands for its place in LETTERS. The first 72 places are a number of one letter,
 * -36 to 35. A zero is followed by a letter that says how many more zeros follow. The next twelve
 * places begin a number of two letters, -510 to 509, and the last one begins a number of three.
 */
extern const char *const WEIGHTS[];

static const char LETTERS[] =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#&()*+,-./:;<=>[]^_{|}";

struct NumberReader {
    const char *const *line; // the current one
    const char *at;          // in the line
    int zeros;               // still to come
    int place[128];          // of each letter

    NumberReader() : line(WEIGHTS), at(*line), zeros(0), place()
    {
        for (int i = 0; LETTERS[i]; i++)
            place[static_cast<int>(LETTERS[i])] = i;
    }

    int next_place()
    {
        if (!*at)
            at = *++line;
        return place[static_cast<int>(*at++)];
    }

    int next()
    {
        const int base = 85, one_letter = 72, zero = 36;
        if (zeros > 0) {
            zeros--;
            return 0;
        }
        int first = next_place();
        if (first == zero)
            zeros = next_place();
        if (first < one_letter)
            return first - zero;
        int second = next_place();
        if (first < base - 1)
            return (first - one_letter) * base + second - 510;
        return second * base + next_place() - 3612;
    }
};
