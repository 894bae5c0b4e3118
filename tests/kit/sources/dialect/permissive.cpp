// What -fpermissive is for.
#include <cstdio>
#include <cstdlib>
struct Board {
    void Board::Clear() { cells[0] = 0; }
    static const double weight = 1.5;
    int cells[4];
};
enum Side { BLACK, WHITE };
half(int n) { return n / 2; }
int main()
{
    char *name = "ok";
    Board *board = malloc(sizeof(Board));
    board->Clear();
    Side side = half(2);
    puts(side == WHITE && Board::weight > 1 ? name : "wrong");
}
