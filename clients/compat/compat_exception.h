/* compat_exception: an exception that is made of a text, as std::exception is in Visual Studio.
 *
 * `plum build` writes this name where a program gives std::exception a text.
 */
#ifndef COMPAT_EXCEPTION_H
#define COMPAT_EXCEPTION_H

#include <exception>
#include <string>

namespace std
{
class compat_exception : public exception
{
  public:
    compat_exception() : text("Unknown exception") {}
    compat_exception(const char *message) : text(message ? message : "") {}
    compat_exception(const char *message, int) : text(message ? message : "") {}
    compat_exception(const exception &other) : text(other.what()) {}
    const char *what() const noexcept override { return text.c_str(); }

  private:
    string text;
};
} // namespace std

#endif
