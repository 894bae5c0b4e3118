#!/bin/sh
# Does tools/check_style.sh refuse what it must, and nothing else?
set -eu
checker=$(realpath "$(dirname "$0")/../../tools/check_style.sh")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0

clean_tree() {
    rm -rf src docs
    mkdir -p src/base src/cli docs
    cat >src/base/note.c <<'CODE'
/* Comments may name printf() and system(). */
int f(struct sink *sink) { return sink->printf("exit(1)") + my_exit(2) + snprintf(0, 0, "x"); }
CODE
    echo 'int main(void) { printf("hello"); exit(0); }' >src/cli/main.c
}

accepts() { # accepts CLAIM
    if ! sh "$checker" . 2>got; then
        echo "should be accepted: $1"
        cat got
        failed=1
    fi
}

refuses() { # refuses CLAIM MESSAGE
    if sh "$checker" . 2>got || ! grep -qF -- "$2" got; then
        echo "should be refused: $1 (with: $2)"
        cat got
        failed=1
    fi
    clean_tree
}

line() { printf "$1%.0s" $(seq "$2"); }

clean_tree
accepts "banned words in comments, strings and longer names"

echo 'int f(void) { return atoi("1"); }' >src/base/a.c
refuses "a banned function" "src/base/a.c:1: banned function"

for call in 'strcpy(a, b)' 'strcat(a, b)' 'stpcpy(a, b)' 'sprintf(a, "x")'; do
    echo "void f(char *a, char *b) { $call; }" >src/base/a.c
    refuses "$call" "src/base/a.c:1: banned function"
done

printf '/* a\n * b */ int f(void) { return rand(); }\n' >src/base/a.c
refuses "a banned function after a comment" "src/base/a.c:2: banned function"

echo 'void f(void) { printf("x"); }' >src/base/a.c
refuses "printf outside cli" "only src/cli may exit or write to stdout"

echo 'void f(void) { fputs("x", stdout); }' >src/base/a.c
refuses "stdout outside cli" "only src/cli may exit or write to stdout"

echo 'void f(void) { exit(1); }' >src/base/a.c
refuses "exit outside cli" "only src/cli may exit or write to stdout"

echo '#include "/tmp/a.h"' >src/base/a.c
refuses "an include by an absolute path" "src/base/a.c:1: an include from outside the project"

line 'int x;\n' 801 >src/base/a.c
refuses "a long file" "src/base/a.c: 801 lines"

{ echo '/* Long because it is one table. */'; line 'int x;\n' 800; } >src/base/a.c
accepts "a long file with its reason"

{ echo '/* a */'; line 'int x;\n' 150; } >src/base/a.h
refuses "a long header" "src/base/a.h: 151 lines"

echo 'int x;' >src/base/a.h
refuses "a header without a head" "a header begins with a comment"

printf '\tint x;\n' >src/base/a.c
refuses "a tab" "src/base/a.c:1: a tab"

printf 'text \n' >docs/a.md
refuses "a space at the end" "docs/a.md:1: a space at the end of the line"

printf 'struct a {\n    int b;\n};\n' | tee src/base/a.c >src/cli/b.c
refuses "a type name twice" "src/cli/b.c:1: struct a is also in src/base/a.c"

echo "TO""DO" >docs/a.md
refuses "unfinished work" "docs/a.md:1: unfinished"

echo "see /home""/me/plum" >docs/a.md
refuses "somebody's own path" "docs/a.md:1: a path that exists on one machine only"

accepts "the clean tree again"
exit $failed
