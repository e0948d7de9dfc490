#!/bin/sh
# The front door. The build itself is Maven's (pom.xml); build.gradle maps the same tasks for those who have Gradle.
#   ./gradlew run | test | build [-x test] | package | bench | soak | passport | cluster-test | format | tasks
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)
cd "$root"
. scripts/tools.sh

case ${1:-} in
  "" | -h | --help | help | tasks)
    scripts/help
    exit 0
    ;;
esac
use_jdk

# A real Gradle goes through build.gradle, which comes back here for each task with BIVOUAC_DOOR set.
# Not for "run": the server's arguments and its terminal are its own.
if [ -z "${BIVOUAC_DOOR:-}" ] && [ "$1" != run ] && gradle_is_there; then
  BIVOUAC_DOOR=gradle exec gradle --quiet --console=plain --no-daemon "$@"
fi

task=$1
shift
case $task in
  run | test | build | distribution | package | bench | soak | passport | cluster-test | format) exec scripts/"$task" "$@" ;;
  *)
    echo "gradlew: there is no task $task. Tasks: run, test, build, package, bench, soak, passport, cluster-test, format." >&2
    exit 2
    ;;
esac
