#!/bin/sh
# Denies when the question holds the first argument, for the reason in the second.
read -r question
case $question in
  *"$1"*) printf '{"decision":"deny","reason":"%s"}\n' "$2" ;;
  *) echo '{"decision":"allow"}' ;;
esac
