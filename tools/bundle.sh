#!/bin/sh
# bundle: joins the modules of the pages into scripts.
#
# usage: tools/bundle.sh WEB GAMES OUT
#        tools/bundle.sh WEB GAMES          prints one script with everything
#
# WEB is the folder web/, GAMES the folder src/games. Writes OUT/app.js, which has what main.js needs at once, and OUT/PART.js for each
# (await import('./PART.js')).NAME in it: what PART.js needs and app.js does not have. The modules come in the order in which they
# need each other, without their imports and the comments that fill a line. No two modules of a script may give the same name to
# something at their top, which the browser would refuse.
set -eu
web=$1
games=$2
tools=$(dirname "$0")

# What a module imports comes before it; prints the modules that are not in SEEN.
seen=
order=
visit() { # visit MODULE
    case " $seen " in *" $1 "*) return ;; esac
    seen="$seen $1"
    # shellcheck disable=SC2013 # a module's name is one word
    for needed in $(sed -n "s|^import .* from '\./\([a-z_]*\)\.js';\$|\1|p" "$web/$1.js"); do
        visit "$needed"
    done
    order="$order $1"
}

join_modules() { # join_modules MODULE…
    for module in "$@"; do
        if [ "$module" = games ]; then
            sh "$tools/game_pages.sh" "$web" "$games"
        else
            cat "$web/$module.js"
        fi | sed -e '/^import .* from /d' -e 's/^export //' -e '/^ *\/\/ /d'
    done
}

# The parts that main.js loads when they are needed, and the name that it uses of one.
parts=$(sed -n "s|.*await import('\./\([a-z_]*\)\.js').*|\1|p" "$web/main.js")
name_in() { sed -n "s|.*(await import('\./$1\.js'))\.\([A-Za-z]*\).*|\1|p" "$web/main.js"; } # name_in PART

visit main
if [ $# = 2 ]; then
    for part in $parts; do
        visit "$part"
    done
    # shellcheck disable=SC2086 # a list of words
    join_modules $order | sed "s|(await import('\./[a-z_]*\.js'))\.||"
    exit
fi

main=$order
common=
for part in $parts; do
    seen=$main
    order=
    visit "$part"
    used=$(for module in $order; do
        sed -n "s|^import {\(.*\)} from '\./\([a-z_]*\)\.js';\$|\2 \1|p" "$web/$module.js"
    done | while read -r module names; do
        case " $main " in *" $module "*) printf '%s\n' "$names" | sed 's/, */\n/g' ;; esac
    done | sort -u)
    common="$common $used"
    {
        # shellcheck disable=SC2086
        printf "import {%s} from './app.js';\n" "$(printf '%s,' $used | sed 's/,$//')"
        # shellcheck disable=SC2086
        join_modules $order
        printf 'export {%s};\n' "$(name_in "$part")"
    } >"$3/$part.js"
done
{
    # shellcheck disable=SC2086
    join_modules $main
    # shellcheck disable=SC2086
    printf 'export {%s};\n' "$(printf '%s\n' $common | sort -u | tr '\n' ',' | sed 's/,$//')"
} >"$3/app.js"
