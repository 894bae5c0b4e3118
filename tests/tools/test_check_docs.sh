#!/bin/sh
# Does tools/check_docs.sh notice a document that is wrong?
set -eu
checker=$(realpath "$(dirname "$0")/../../tools/check_docs.sh")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p bin docs
printf '#!/bin/sh\necho one; echo two; echo three; exit "${1:-0}"\n' >bin/plum
chmod +x bin/plum
failed=0

page() { # page LINE... : docs/page.md
    printf '%s\n' "$@" >docs/page.md
}

accepts() { # accepts CLAIM
    if ! sh "$checker" bin/plum . 2>got; then
        echo "should be accepted: $1"
        cat got
        failed=1
    fi
}

refuses() { # refuses CLAIM MESSAGE
    if sh "$checker" bin/plum . 2>got || ! grep -qF -- "$2" got; then
        echo "should be refused: $1 (with: $2)"
        cat got
        failed=1
    fi
}

page '```console' '$ plum' one two three '$ echo a \' 'b' 'a b' '```' '```sh' 'plum --nonsense' '```'
accepts "commands that print what the page says; sh blocks are not run"

page '```console' '$ plum' one … '$ plum' … three '$ plum' … '$ plum' one … two … three '```'
accepts "… means any lines, also none"

page '```console' '$ plum 3' … '$ echo $?' 3 '$ echo x >file' '$ cat file' x '```'
accepts "the commands of a page share shell and folder"

page '```console' '$ plum' one three '```'
refuses "a missing line" "docs/page.md:2: this command prints something else"

page '```console' '$ plum' one two '```'
refuses "a missing last line" "docs/page.md:2"

page '```console' '$ plum' one … four '```'
refuses "a wrong line after …" "docs/page.md:2"

page '```console' '$ plum' '```'
refuses "no output where there is some" "docs/page.md:2"

page '```console' one '```'
refuses "a block without a command" 'docs/page.md:2: a console block begins with "$ "'

page '## Part' 'See [this](page.md#part), [that](https://example.org/x#y), `[a](b)`.' '```c' 'x[1](2);' '```'
accepts "links that lead somewhere or leave the project"

page '# The `a_b`, 1.0: [who](page.md) & Co.' '## Part' '## Part' '[1](#the-a_b-10-who--co) [2](#part-1) [3](../docs/page.md#part)'
accepts "anchors of headings with code, signs and links, and of equal headings"

page '## Part' '```sh' '# comment' '```' 'See [this](page.md#parts).'
refuses "an anchor of no heading" "docs/page.md:5: the link leads to no heading: page.md#parts"

page '## Part' '```sh' '# comment' '```' 'See [this](#comment).'
refuses "an anchor of a comment in code" "docs/page.md:5: the link leads to no heading: #comment"

page 'See [this](nowhere.md).'
refuses "a dead link" "docs/page.md:1: the link leads nowhere: nowhere.md"

page '<img src="images/none.svg">'
refuses "a missing picture" "the link leads nowhere: images/none.svg"
exit $failed
