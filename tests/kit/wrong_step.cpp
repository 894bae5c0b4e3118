/* Sends a move as a wrong GetStep would: wrong_step COUNT, the numbers of its second square; 0 0: no
 * square at all. */
#include CLIENT

int main(int count, char **words)
{
    std::vector<std::vector<int>> step = {{2, 0}, std::vector<int>(std::atoi(words[1]))};
    SendStep(1, count == 2 ? step : std::vector<std::vector<int>>());
}
