// A size follows each text.
#include <cstdio>
#include <cstring>
int main()
{
    char word[8], line[] = "12 hop x";
    int number;
    char letter;
    int count = sscanf_s(line, "%d%s %c", &number, word, 8, &letter, 1);
    puts(count == 3 && number == 12 && strcmp(word, "hop") == 0 && letter == 'x' ? "ok" : "wrong");
}
