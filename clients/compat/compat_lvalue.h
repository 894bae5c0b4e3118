/* compat_lvalue: a temporary for a reference that is not const, as Visual Studio allows.
 *
 * `plum build` writes it around an argument. The temporary lives until the call has returned.
 */
#ifndef COMPAT_LVALUE_H
#define COMPAT_LVALUE_H

template <class T> inline T &compat_lvalue(T &&value) { return value; }

#endif
