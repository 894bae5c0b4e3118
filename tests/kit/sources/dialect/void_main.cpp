#include <cstdio>
static const char note[] = "void main() stays in a text"; /* and void main() in a comment */
void
main(void)
{
    puts(note[5] == 'm' ? "ok" : "wrong");
    return;
}
