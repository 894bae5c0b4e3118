/* --- The auction ---
 *
 * Where both players want a colour, the higher price gets it and pays the lower one and 1 more. If
 * V(x) is the chance of winning with the better colour after paying x, and p the highest payment
 * with V(p) >= 1/2, then a bid of p - 1 guarantees one half whatever the other player does: if we
 * get the colour we pay at most p, and if the other player gets it, at least p.
 */
/* Games won in a thousand with Black, which wins more often, after a payment; measured in games of
 * the engine with itself. */
struct Chance {
    int payment, won;
};

static const Chance CHANCES[] = {{0, 623},   {20, 623},  {40, 615}, {60, 615}, {80, 593},
                                 {100, 495}, {110, 313}, {120, 84}, {130, 2},  {140, 0}};

enum { BLACK, WHITE, MAX_PRICE = 140, HALF = 500 };

static int chance_after(int payment)
{
    const Chance *at = CHANCES;
    while (payment > at[1].payment)
        at++;
    return at->won +
           (at[1].won - at->won) * (payment - at->payment) / (at[1].payment - at->payment);
}

static int best_price()
{
    int payment = 0;
    while (payment < MAX_PRICE && chance_after(payment + 1) >= HALF)
        payment++;
    return payment - 1;
}

/* --- Standard input and output --- */

static int read_number()
{
    int number;
    if (!(std::cin >> number)) {
        std::cerr << "the input ended in the middle of the game\n";
        std::exit(1);
    }
    return number;
}

/* Both players name a colour and a price, sealed. Returns the colour we get. */
static int hold_auction(Position &p)
{
    int price = best_price();
    std::cout << "My bid: " << BLACK << " " << price << std::endl;
    std::cout << "Enter the opponent's bid: " << std::flush;
    int their_colour = read_number(),
        their_price = std::min(read_number(), static_cast<int>(MAX_PRICE));
    if (their_colour != BLACK)
        return BLACK;
    p.budgets[BLACK] -= std::max(0, std::min(price, their_price)) + 1;
    if (price != their_price)
        return price > their_price ? BLACK : WHITE;
    std::cout << "Enter my color: " << std::flush;
    return read_number();
}

static Move read_move()
{
    std::cout << "Enter the opponent's move: " << std::flush;
    int numbers[4];
    for (int &number : numbers)
        number = read_number();
    Move move = {static_cast<signed char>(numbers[0] * LINE + numbers[1]),
                 static_cast<signed char>(numbers[2] * LINE + numbers[3])};
    return move;
}

static void print_move(const Move &move)
{
    std::cout << "Move (" << move.from / LINE << ", " << move.from % LINE << ") to ("
              << move.to / LINE << ", " << move.to % LINE << ")." << std::endl;
}

/* A side that cannot move passes without a word. */
static void play()
{
    Position p;
    read_position("start", p);
    int colour = hold_auction(p);
    while (!is_over(p)) {
        Move move = {0, 0};
        if (!can_move(p, p.side)) {
            apply(p, move);
            continue;
        }
        if (p.side == colour) {
            move = think(p, TIME_LIMIT_S * TIME_SHARE);
            print_move(move);
        } else {
            move = read_move();
        }
        apply(p, move);
    }
    int score = p.side == BLACK ? final_score(p) : -final_score(p);
    std::cout << (score > 0 ? "BLACK wins!" : score < 0 ? "WHITE wins!" : "Draw!") << std::endl;
}
