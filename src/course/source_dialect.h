/* source_dialect: words of Visual Studio's C and C++ that gcc refuses and that no header can
 * define.
 *
 *     void main()                          int main()
 *     struct P { struct P(int a) {} };     struct P { P(int a) {} };
 *     for each (int x in list)             for (int x : list)
 *     enum E; … enum E { A };              the same with COMPAT_ENUM after E: an int in C++
 *     int wmain(int c, wchar_t **v) { }    int compat_wmain(…) { } and COMPAT_MAIN, which calls it
 *     10ui64, "%I64d"                      10ull, "%lld"
 *     address.S_un.S_addr                  address.s_addr
 *     throw std::exception("text")         throw std::compat_exception("text")
 *
 * Works on tokens and understands no grammar: comments and text in quotes are not changed (but for
 * the formats), and every line keeps its number.
 */
#ifndef COURSE_SOURCE_DIALECT_H
#define COURSE_SOURCE_DIALECT_H

#include <stdio.h>

/* Writes a whole source with these words replaced. */
void source_dialect_write(const char *text, FILE *out);

#endif
