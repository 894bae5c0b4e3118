# bash completion for plum, written by: plum completion bash
# Load it with: source <(plum completion bash)
_plum_value() {
    words=; kind=
    case $1 in
@VALUES@
    *) return 1 ;;
    esac
}
_plum_operand() {
    words=; kind=word
    case $1 in
@OPERANDS@
    esac
}
_plum_options() {
    kind=word
    case $1 in
@OPTIONS@
    esac
}
_plum_under() {
    kind=word
    case $1 in
@UNDER@
    *) return 1 ;;
    esac
}
_plum() {
    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    local words= kind= line i first=2 operands=0 option=
    if ((COMP_CWORD == 1)); then
        words='@COMMANDS@' kind=word
    elif ((COMP_CWORD == 2)) && [[ $current != -* ]] && _plum_under "$command"; then :
    else
        if _plum_under "$command"; then command+=" ${COMP_WORDS[2]}"; first=3; fi
        words=; kind=
        for ((i = first; i < COMP_CWORD; i++)); do
            case ${COMP_WORDS[i]} in
            =) ;;
            --*) option=${COMP_WORDS[i]}; continue ;;
            *) [[ $option ]] && _plum_value "$command:$option" || ((operands += 1)) ;;
            esac
            [[ ${COMP_WORDS[i]} == = ]] || option=
        done
        [[ $current == = ]] && current=
        if [[ $option ]] && _plum_value "$command:$option"; then :
        elif [[ $current == -* ]]; then _plum_options "$command"
        else _plum_operand "$command:$operands"
        fi
    fi
    COMPREPLY=()
    if [[ $kind == file ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$words" -- "$current")
    fi
}
complete -F _plum plum
