#!/bin/sh
# Runs the runtime with a bound of its memory in KiB, some 500 MiB of it its own. A system that has no such bound runs it without.
ulimit -d 1048576 2>/dev/null
exec "$RUNTIME_PROGRAM" "$@"
