#!/usr/bin/env bash
# Adds a note to what was read from a generated file, so that the model changes the source instead. Needs bash, cat and awk.
#
# bash cannot parse JSON, so this takes the text of the result as it stands on the wire, escapes and all, and writes it
# back with the note before its last quote. A result that is no text is left alone.

set -u
export LC_ALL=C

request=$(cat) || exit 1
[[ $request == '{'*'}' && $request != *$'\n'* ]] || exit 1

if [[ $request == *'"path":"generated/'* ]]; then
  # The result comes last but one. When it is a text, the last ,"output": is its key: in a text the quotes would be escaped.
  printf '%s\n' "$request" | awk '
    {
      count = split($0, part, ",\"output\":")
      text = part[count]
      found = count > 1 && sub(/,"is_error":(true|false)}$/, "", text)
      if (found && substr(text, 1, 1) == "\"" && substr(text, length(text)) == "\"")
        printf "{\"decision\":\"replace\",\"output\":%s\\n[%s]\\n\",\"reason\":\"noted that the file is generated\"}\n", \
          substr(text, 1, length(text) - 1), "This file is generated. Change schema/ and run `make generate` instead."
      else
        print "{\"decision\":\"allow\"}"
    }'
else
  printf '{"decision":"allow"}\n'
fi
