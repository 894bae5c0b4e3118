/* Prints the user that started it and the one whose rights it has. tests/sandbox_test.sh gives it
 * the set-user-id and set-group-id bits of another user, so outside a sandbox the two differ. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    printf("started by %d:%d with the rights of %d:%d\n", (int)getuid(), (int)getgid(),
           (int)geteuid(), (int)getegid());
    printf("%s\n", getuid() == geteuid() && getgid() == getegid() ? "the same" : "others");
    return 0;
}
