#!/usr/bin/env bash
# Asks a service about every call: posts the request, and allows what the service allows. Needs bash, cat and tr.
#
# Its arguments are the host, the port and the path, such as 127.0.0.1 8181 /judge, without TLS. The service answers with
# status 200 and {"allowed":true} or {"allowed":false}. bash cannot parse JSON, so any answer but the first, white space
# aside, denies, and the reason that the service gives is not passed on.

set -u
export LC_ALL=C

request=$(cat) || exit 1
exec 3<>"/dev/tcp/$1/$2" || exit 1
printf 'POST %s HTTP/1.0\r\nHost: %s:%s\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s' \
  "$3" "$1" "$2" "${#request}" "$request" >&3 || exit 1

IFS= read -r status <&3 || exit 1
[[ $status == HTTP/1.[01]' 200'* ]] || { printf 'the service answered: %s\n' "$status" >&2; exit 1; }
while IFS= read -r header <&3; do
  [[ $header == $'\r' ]] && break
done
verdict=$(tr -d ' \t\r\n' <&3) || exit 1

if [[ $verdict == '{"allowed":true}' ]]; then
  printf '{"decision":"allow"}\n'
else
  printf '{"decision":"deny","reason":"the service does not allow this call"}\n'
fi
