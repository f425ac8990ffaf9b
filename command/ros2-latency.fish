# fish completion for ros2-latency
# SPDX-License-Identifier: MIT
# Options and their values are those of `ros2-latency [COMMAND] --help`, as in ros2-latency.bash-completion.

function __ros2_latency_commands
    $argv[1] --help 2>/dev/null | sed -n '/^Commands/,/^$/s/^  \([a-z]*\)$/\1/p'
end

# The help of the command that the line is about.
function __ros2_latency_help
    set -l words (commandline -opc)
    if set -q words[2]; and contains -- $words[2] (__ros2_latency_commands $words[1])
        $words[1] $words[2] --help 2>/dev/null
    else
        $words[1] --help 2>/dev/null
    end
end

# Options; once one has its "=", its values.
function __ros2_latency_options
    set -l token (commandline -ct)
    if not string match -qr -- '^--[a-z0-9-]+=' $token
        __ros2_latency_help | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z0-9-]*=\{0,1\}\).*$/\2/p'
        return
    end
    set -l option (string replace -r -- '=.*' '' $token)
    set -l value (string replace -r -- '^[^=]*=' '' $token)
    set -l about (__ros2_latency_help | sed -n "/^  $option=/,/^\(  -\|\$\)/p" | sed '2,${/^  -/d}')
    set -l head $about[1]
    set -l before ""
    if string match -q -- '*separated by commas*' "$about"; and string match -q -- '*,*' $value
        set before (string replace -r -- ',[^,]*$' ',' $value)
    end
    switch $head
        case '*=FILE'
            __fish_complete_path $value | string replace -r -- '^' "$option="
        case '*=DIRECTORY'
            __fish_complete_directories $value | string replace -r -- '^' "$option="
        case '*|*'
            string replace -r -- '^[^=]*=' '' $head | string split '|' | string replace -r -- '^' "$option=$before"
        case '*'
            printf '%s\n' $about | sed -n 's/^ \{10\}\([a-z].*\)/\1/p' | sed 's/  .*//' | tr -d ',' | tr -s ' ' '\n' | string replace -r -- '^' "$option=$before"
    end
end

complete -c ros2-latency -f
complete -c ros2-latency -n 'string match -q -- "-*" (commandline -ct)' -a '(__ros2_latency_options)'
complete -c ros2-latency -n 'test (count (commandline -opc)) -eq 1' -a '(__ros2_latency_commands ros2-latency)'
complete -c ros2-latency -n 'not string match -q -- "-*" (commandline -ct)' -a '(__fish_complete_path)'
