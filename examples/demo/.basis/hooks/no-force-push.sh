#!/usr/bin/env bash
# Denies a push that could overwrite what others have pushed.
#
# A hook reads one JSON object from standard input and prints one to standard output. Bash has no JSON parser, so this
# one looks at the text: it may deny a harmless command that only mentions such a push, and says so in its reason. An
# escape could spell any letter, so a request with one is denied too.
set -euo pipefail

read -r request

# A word that begins with -f or --force, somewhere after "git push"; JSON writes the quotes around it as \", and a tab
# or the end of a line as \t or \n.
forced='git([^&|;]*)([[:space:]]|\\[tn])push([^&|;]*)([[:space:]]|\\[tn])(\\")?(--force|-f)'
if [[ $request == *'\u'* ]]; then
  printf '%s\n' '{"decision":"deny","reason":"the call holds an escape that this guard cannot read; write the characters themselves"}'
elif [[ $request =~ $forced ]]; then
  printf '%s\n' '{"decision":"deny","reason":"a forced push is not allowed here; push without --force or -f, or ask a person"}'
else
  printf '%s\n' '{"decision":"allow"}'
fi
