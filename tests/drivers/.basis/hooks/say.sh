#!/bin/sh
# Reads the question and prints its argument.
read -r question
printf '%s\n' "$1"
