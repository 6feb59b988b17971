#!/usr/bin/env bash
# Pins what a call fetches: a branch or a tag becomes the commit that somebody has looked at. Needs bash and cat.
#
# For a tool with an input like {"repo": "https://example.org/tools.git", "ref": "v2"}. A commit is let through as it is, and
# a ref that is not pinned is denied.
#
# bash cannot parse JSON. This reads an input of exactly these two texts, without a backslash in them, so that every
# character is what it seems; it denies any other, a harmless one with a third field included.

set -u
export LC_ALL=C

deny() {
  printf '{"decision":"deny","reason":"%s"}\n' "$1"
  exit 0
}

request=$(cat) || exit 1
[[ $request == '{'*'"event":"pre_tool_use"'*'"input":'*'}' && $request != *$'\n'* ]] || exit 1

# The first "input": is the key itself. Only texts stand before it, and in a text its quotes would be escaped.
input=${request#*'"input":'}
repo_first='^\{"repo":"([^"\\]*)","ref":"([^"\\]*)"\}\}$'
ref_first='^\{"ref":"([^"\\]*)","repo":"([^"\\]*)"\}\}$'
if [[ $input =~ $repo_first ]]; then
  repo=${BASH_REMATCH[1]} ref=${BASH_REMATCH[2]}
elif [[ $input =~ $ref_first ]]; then
  ref=${BASH_REMATCH[1]} repo=${BASH_REMATCH[2]}
else
  deny 'this guard reads an input of repo and ref alone, without a backslash; write it so'
fi

commit='^[0-9a-f]{40}$'
[[ $ref =~ $commit ]] && printf '{"decision":"allow"}\n' && exit 0

case "$repo $ref" in
  'https://example.org/tools.git v2') pinned=3f1c0a9be5d7f2846c1b0e9d8a7f6c5b4a392817 ;;
  'https://example.org/tools.git main') pinned=90b1d5e2c4f8a7163d5e4f6a7b8c9d0e1f2a3b4c ;;
  *) deny 'this ref is not pinned; fetch a full commit, or a ref that is pinned' ;;
esac
printf '{"decision":"modify","input":{"repo":"%s","ref":"%s"},"reason":"the ref is pinned"}\n' "$repo" "$pinned"
