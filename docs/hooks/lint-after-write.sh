#!/usr/bin/env bash
# Tells the model, after a file was written, what is wrong with the scripts of the workspace. Declare it with "on_failure": "allow".
# It denies nothing, and the result of the tool stays as it is. Needs bash, cat, find and tr.
#
# bash cannot take the path out of the request, so this looks at every script. `bash -n` reads a script and runs nothing of it.

set -u
export LC_ALL=C

request=$(cat) || exit 1
[[ $request == '{'*'"input":'*'}' && $request != *$'\n'* ]] || exit 1

found=$(find . -path ./.git -prune -o -name '*.sh' -exec bash -n {} \; 2>&1 | tr -cd '[:print:]\n')
if [[ -z $found ]]; then
  printf '{"decision":"allow"}\n'
  exit 0
fi

# Only printable characters and line ends are left: three of them need an escape in JSON.
found=${found//\\/\\\\}
found=${found//\"/\\\"}
found=${found//$'\n'/\\n}
printf '{"decision":"allow","context":"The file was written. bash -n says:\\n%s"}\n' "$found"
