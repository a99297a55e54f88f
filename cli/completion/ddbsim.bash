# ddbsim.bash - Completion for bash: commands, options, scenarios, tables, kinds of pictures, files.
#
# Nothing is listed here twice: words come from the --help of the ddbsim that stands on the line, so
# that they fit its version. Works with and without the package bash-completion.

# The program as written on the line, with its tilde expanded.
_ddbsim_run() {
    local program=${COMP_WORDS[0]}
    # shellcheck disable=SC2088 # the tilde is a letter of the line here
    case $program in '~/'*) program=$HOME/${program#'~/'} ;; esac
    "$program" "$@" 2>/dev/null </dev/null
}

# Long options of a command; those that take a value end in '='.
_ddbsim_options() {
    _ddbsim_run "$1" --help |
        sed -nE 's/^  (   |-.,) (--[a-z][a-z-]*=?).*/\2/p'
}

# The words of the value of option $2 of command $1, where its help has them as "a|b".
_ddbsim_choices() {
    _ddbsim_run "$1" --help |
        sed -n "s/^ .* --$2=\([a-z]*|[a-z|]*\).*/\1/p" | tr '|' '\n'
}

# The list in the help of command $1 behind "$2 is one of:".
_ddbsim_list() {
    _ddbsim_run "$1" --help |
        sed -n "/^$2 is one of:/,/^\$/s/^  \([a-z][a-z_]*\)  .*/\1/p"
}

_ddbsim_operations() {
    _ddbsim_run units --help | tr -cs 'A-Za-z' '\n' |
        grep -E '^[A-Z][a-z]+Item$|^(Query|Scan)$' | sort -u
}

_ddbsim_parameters() {
    _ddbsim_run parameters | sed -n 's/^\([a-z]*\.[a-z_0-9]*\) = .*/\1=/p'
}

_ddbsim_scenarios() {
    _ddbsim_run scenarios | sed -n 's/^\([^ ]*\)$/\1/p'
}

_ddbsim_commands() {
    _ddbsim_run --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
}

# Offers words, one a line, that begin with $1.
_ddbsim_words() {
    local word
    while IFS= read -r word; do
        case $word in "$1"*) COMPREPLY+=("$word") ;; esac
    done
    case ${COMPREPLY[*]-} in *=) compopt -o nospace 2>/dev/null ;; esac
}

# Offers files that begin with $1 and end in one of $2…, and folders.
_ddbsim_files() {
    local current=$1 file ending
    shift
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        [ -d "$file" ] && COMPREPLY+=("$file") && continue
        for ending in "$@"; do
            case $file in *"$ending") COMPREPLY+=("$file") && break ;; esac
        done
    done < <(compgen -f -- "$current")
}

# Number of arguments between command and cursor that are neither options nor their values.
_ddbsim_position() {
    local options=$1 i word count=0
    for ((i = 2; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case $word in
        -o) ((i++)) ;;
        --*)
            if [ "${COMP_WORDS[i + 1]-}" = = ]; then
                ((i += 2)) # bash takes "--name=value" for three words
            elif [[ $'\n'$options$'\n' == *$'\n'"$word="$'\n'* ]]; then
                ((i++))
            fi
            ;;
        =) ((i++)) ;; # of --set NAME=VALUE
        -*) ;;
        *) ((count++)) ;;
        esac
    done
    echo "$count"
}

# The value of option $2 of command $1.
_ddbsim_value() {
    case $2 in
    set)
        _ddbsim_words "$3" < <(_ddbsim_parameters)
        ;;
    output)
        case $1 in
        run | sweep | compare | merge) _ddbsim_files "$3" .db ;;
        plot) _ddbsim_files "$3" .svg .png .pdf ;;
        report) _ddbsim_files "$3" .html ;;
        *) _ddbsim_files "$3" '' ;;
        esac
        ;;
    over) _ddbsim_files "$3" .db ;;
    *) _ddbsim_words "$3" < <(_ddbsim_choices "$1" "$2") ;;
    esac
}

# The argument of command $1 at position $2.
_ddbsim_argument() {
    case $1:$2 in
    run:0 | sweep:0 | advise:0 | compare:* | check:*)
        _ddbsim_words "$3" < <(_ddbsim_scenarios)
        _ddbsim_files "$3" .yaml .yml
        ;;
    scenarios:0) _ddbsim_words "$3" < <(_ddbsim_scenarios) ;;
    plot:0 | report:0 | export:0 | merge:*) _ddbsim_files "$3" .db ;;
    plot:1) _ddbsim_words "$3" < <(_ddbsim_list plot KIND) ;;
    export:1) _ddbsim_words "$3" < <(_ddbsim_list export TABLE) ;;
    units:0) _ddbsim_words "$3" < <(_ddbsim_operations) ;;
    esac
}

_ddbsim() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} options
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        case $current in
        -*) _ddbsim_words "$current" <<<$'--help\n--version' ;;
        *) _ddbsim_words "$current" < <(_ddbsim_commands) ;;
        esac
        return
    fi
    options=$(_ddbsim_options "$command")
    if [ "$current" = = ]; then
        current='' before=$before=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}=
    fi
    [ "$before" = -o ] && before=--output
    case $before in
    [!-]*=) return ;; # a value of --set
    --*)
        before=${before%=}
        if [[ $'\n'$options$'\n' == *$'\n'"$before="$'\n'* ]]; then
            _ddbsim_value "$command" "${before#--}" "$current"
            return
        fi
        ;;
    esac
    case $current in
    -*) _ddbsim_words "$current" <<<"$options" ;;
    *) _ddbsim_argument "$command" "$(_ddbsim_position "$options")" "$current" ;;
    esac
}

complete -F _ddbsim ddbsim
