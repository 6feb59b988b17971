#!/usr/bin/env bash
# Denies a forced git push. One question per run; needs nothing but bash, cat and sed.
#
# bash cannot parse JSON, so this looks at the whole request as text, and denies when it is not sure:
# - a \u escape could spell any letter, so a request that holds one is denied;
# - what it looks for may stand in any field, so it denies some calls that are harmless;
# - it looks at neither "event" nor "tool_name", because a key of the input may be called that too.
#   Declare it for the shell tool, before the call, and for nothing else.
# It is a guard against accidents: whoever wants to can hide a push from any reading of a shell command.

set -u
export LC_ALL=C

deny() {
  printf '{"decision":"deny","reason":"%s"}\n' "$1"
  exit 0
}

# Anything but one object on one line is no question; failing denies.
request=$(cat) || exit 1
[[ $request == '{'*'"input":'*'}' && $request != *$'\n'* ]] || exit 1

[[ $request == *'\u'* ]] && deny 'the call holds an escape that this guard cannot read; write the characters themselves'

# To a shell, a backslash at the end of a line continues it, and quotes do not part words: pu"sh" is push.
# sed, because bash takes a minute to replace as much in a request of a megabyte.
words=$(printf '%s' "$request" | sed -e 's/\\\\\\n//g' -e 's/\\[nrt]/ /g' -e "s/[\"'\\\\]//g") || exit 1

if [[ $words == *push* ]]; then
  force='(^|[^[:alnum:]_/.-])(--for|--mirror|-[[:alpha:]]*f|\+[^[:space:]])'
  [[ $words =~ $force ]] && deny 'force-push is not allowed in this workspace; push without force'
  [[ $words == *[\$\`]* ]] && deny 'this guard cannot see what is pushed; write the push without variables'
fi

printf '{"decision":"allow"}\n'
