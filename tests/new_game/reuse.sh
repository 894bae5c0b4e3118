#!/bin/sh
# reuse: a compiler launcher. An object that the test build has of the same source is copied; all else is compiled.
#
# usage: reuse.sh ROOT BUILD COMPILER... -o OBJECT -c SOURCE        in a build folder inside a copy of ROOT
#
# The sources of the list of games are always compiled: they include the generated registry_folders.h.
root=$1 build=$2
shift 2
object='' source='' before=''
for word in "$@"; do
    case $before in
    -o) object=$word ;;
    -c) source=$word ;;
    esac
    before=$word
done
tree=$(dirname "$PWD")
case $source in
"$PWD"/*) twin=$build${source#"$PWD"} ;;
*) twin=$root${source#"$tree"} ;;
esac
if [ -n "$source" ] && cmp -s "$source" "$twin" && [ -f "$build/$object" ] && ! grep -q registry_folders.h "$source"; then
    exec cp "$build/$object" "$object"
fi
exec "$@"
