// A temporary for a reference that is not const: arguments and variables.
#include <string>
#include <vector>
#include <cstdio>
struct Node { int value; Node(int n) : value(n) {} };
static int Value(Node &node) { return node.value++; }
static Node Make(const Node &node) { return node; }
static size_t Length(std::string &text, int factor) { return text.size() * factor; }
static std::vector<int> Moves() { return {1, 2, 3}; }
int main()
{
    std::vector<int> &moves = Moves();
    int sum = Value(Node(4)) + (int)Length(std::string("ab"), 2) + (int)moves.size();
	Node	*first = new Node(1); sum += Value(Node(first->value)) + /* 小 */ Value(Make(Node(Value(*first))));
    puts(sum == 13 ? "ok" : "wrong");
}
