#!/usr/bin/env bash
# Asks a person before a deploy, and has no objection to anything else. One question per run; needs bash, cat and sed.
#
# bash cannot parse JSON, so this looks at the whole request as text, and asks when it is not sure:
# - a \u escape could spell any letter, so a request that holds one is asked about;
# - what it looks for may stand in any field, so it asks about some calls that deploy nothing.
# Declare it for the shell tool, before the call. A guard against accidents: any reading of a shell command can be deceived.

set -u
export LC_ALL=C

ask() {
  printf '{"decision":"ask","reason":"%s"}\n' "$1"
  exit 0
}

# Anything but one object on one line is no question; failing denies.
request=$(cat) || exit 1
[[ $request == '{'*'"input":'*'}' && $request != *$'\n'* ]] || exit 1

[[ $request == *'\u'* ]] && ask 'the call holds an escape that may spell a deploy'

# To a shell, a backslash at the end of a line continues it, quotes do not part words, and any white space does.
words=$(printf '%s' "$request" |
  sed -e 's/\\\\\\n//g' -e 's/\\[nrt]/ /g' -e "s/[\"'\\\\]//g" -e 's/,/ /g' -e 's/[[:space:]][[:space:]]*/ /g') || exit 1

deploy='(make deploy|terraform (apply|destroy)|kubectl (apply|delete)|helm (install|upgrade))'
if [[ $words =~ (^|[^[:alnum:]_])$deploy($|[^[:alnum:]_]) ]]; then
  # One of the words above, and so nothing that JSON would have to escape.
  ask "\`${BASH_REMATCH[2]}\` changes what runs in production"
fi

printf '{"decision":"allow"}\n'
