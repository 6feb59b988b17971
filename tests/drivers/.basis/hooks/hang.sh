#!/bin/sh
# Does not answer.
exec sleep 20
