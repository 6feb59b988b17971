#!/usr/bin/env bash
# Writes down every call and has no objection to any. Declare it with "on_failure": "allow". Needs bash, cat and date.
#
# What it writes holds all that the tools were given and returned, secrets included: nobody else may read the file.

set -eu
umask 077

request=$(cat)
printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$request" >>.basis/calls.log
printf '{"decision":"allow"}\n'
