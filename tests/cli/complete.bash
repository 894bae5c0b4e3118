# complete: what bash would offer. usage: bash complete.bash WORD... (the last one is being typed)
# shellcheck shell=bash
source <(plum completion bash)
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMPREPLY=()
_plum
echo "${COMPREPLY[@]}"
