#!/usr/bin/env bash
# Withholds a result that holds an access token. Needs bash, cat, grep and sed.
#
# bash cannot write JSON anew, so this cannot take the token out and leave the rest, as the hooks in Python and Node do: the
# model sees nothing of such a result. It looks at the whole request as text, the input included, and withholds when an escape
# could hide a letter.

set -u
export LC_ALL=C

withhold() {
  printf '{"decision":"deny","reason":"%s"}\n' "$1"
  exit 0
}

request=$(cat) || exit 1
[[ $request == '{'*'"output":'*'}' && $request != *$'\n'* ]] || exit 1

# Every escape but those of letters becomes what it stands for, or a character as good as that. The pairs of backslashes come
# first: the second of them escapes nothing.
text=$(printf '%s' "$request" |
  sed -e 's/\\\\/_/g' -e 's/\\"/_/g' -e 's#\\/#/#g' -e 's/\\[bfnrt]/ /g' -e 's/\\u00[01][0-9A-Fa-f]/ /g') || exit 1
[[ $text == *'\u'* ]] && withhold 'the result holds an escape that this guard cannot read'

token='AKIA[0-9A-Z]{16}|gh[opsur]_[A-Za-z0-9]{36}|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^ "/:@]+:[^ "/@]+@'
printf '%s' "$text" | grep -qE -e "$token"
case $? in
  0) withhold 'the result holds an access token; look at a part of it that does not' ;;
  1) printf '{"decision":"allow"}\n' ;;
  *) exit 1 ;;
esac
