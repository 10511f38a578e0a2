#!/bin/sh
# A bot for `paddock match`, in POSIX shell: it plays the last legal move of the list.
#
#     paddock match lacorsa club "cmd:sh examples/bot.sh" rookie rookie
#
# docs/match.md describes the lines. Their fields are separated by tabs.
tab=$(printf '\t')
while IFS= read -r line; do
    case $line in
        "paddock$tab"*) echo ready ;;
        "move$tab"*) printf '%s\n' "${line##*"$tab"}" ;; # move, the seat, a field for each legal move
    esac
done
