# Finds the tools that the build needs, and installs or names what is missing. Sourced, not run.

say() {
  echo "gradlew: $*" >&2
}

# A JDK says its version in its "release" file: no need to start it.
is_jdk() {
  [ -x "$1/bin/javac" ] && [ -f "$1/release" ] || return 1
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  [ "${version:-0}" -ge 25 ]
}

use_jdk() {
  path_java=$(command -v java || true)
  [ -z "$path_java" ] || path_java=$(dirname "$(dirname "$(readlink -f "$path_java")")")
  mac_java=
  [ ! -x /usr/libexec/java_home ] || mac_java=$(/usr/libexec/java_home -v 25+ 2>/dev/null || true)
  for candidate in "${JAVA_HOME:-}" "$path_java" "$mac_java" /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* \
    "$HOME"/.jdks/* /opt/* /opt/java/*; do
    if is_jdk "$candidate"; then
      JAVA_HOME=$candidate
      export JAVA_HOME
      return
    fi
  done
  say "a JDK 25 or newer is needed and none was found."
  say "Install one (Debian, with Adoptium's packages: apt-get install temurin-25-jdk; SDKMAN: sdk install java 25-tem), or set JAVA_HOME."
  exit 1
}

gradle_is_there() {
  command -v gradle >/dev/null 2>&1 || return 1
  major=$(gradle --version 2>/dev/null | sed -n 's/^Gradle \([0-9]*\).*/\1/p')
  [ "${major:-0}" -ge 8 ]
}

# need PROGRAM PACKAGE: takes it from the system's packages where we may, and says what to install where not.
need() {
  ! command -v "$1" >/dev/null 2>&1 || return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing $2"
    if { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install "$2"; } >/dev/null 2>&1 &&
      command -v "$1" >/dev/null 2>&1; then
      return 0
    fi
  fi
  say "$1 is missing. Install it, for example: sudo apt-get install $2"
  exit 1
}

# want PROGRAM PACKAGE: the same, but goes on without it: tests that use it are skipped and say so.
want() {
  (need "$1" "$2") || say "tests with $1 are skipped."
}

# A busybox that needs no library: the tests' images hold nothing beside it. Debian has both kinds under one name,
# and the package of the static one takes the place of the other.
want_static_busybox() {
  want busybox busybox-static
  command -v ldd >/dev/null 2>&1 && ldd "$(command -v busybox)" >/dev/null 2>&1 || return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing busybox-static in place of a busybox that needs libraries"
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install busybox-static; } >/dev/null 2>&1 && return 0
  fi
  say "busybox needs libraries, so tests with images fail. Install the static one, for example: sudo apt-get install busybox-static"
}

# Python 3.10 or newer that can make virtual environments: on Debian that part is a package of its own.
use_python() {
  need python3 python3
  if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    say "Python 3.10 or newer is needed; python3 is $(python3 -V 2>&1)."
    exit 1
  fi
  ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing python3-venv"
    if { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install python3-venv; } >/dev/null 2>&1 &&
      python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then
      return 0
    fi
  fi
  say "Python's venv module is missing. Install it, for example: sudo apt-get install python3-venv"
  exit 1
}

# Maven in short: a line for each module as it begins, errors, and what the modules themselves print. As many modules at
# once as there are processors.
maven() {
  need mvn maven
  need npm npm
  # In plain sh a pipe has the status of its last part: Maven's own goes around it.
  exec 4>&1
  status_of_maven=$({
    {
      # As a condition: else a failure would end the subshell, by set -e, before it is told.
      if mvn -B -T 1C --no-transfer-progress -Dstyle.color=never "$@" 2>&1 3>&- 4>&-; then code=0; else code=$?; fi
      echo "$code" >&3
    } | shortened >&4
  } 3>&1)
  exec 4>&-
  return "$status_of_maven"
}

shortened() {
  escape=$(printf '\033')
  hidden=no
  while IFS= read -r line; do
    case $line in
      "[INFO] Building "*/*"]")
        module=${line#"[INFO] Building "}
        say "${module%% *} ${line##* }"
        ;;
      "[INFO]"* | "[WARNING]"* | "SLF4J(W)"*) hidden=yes ;;
      "" | "$escape"*) ;;
      # What follows a line that is not shown, indented, belongs to it.
      " "*) [ "$hidden" = yes ] || printf '%s\n' "$line" ;;
      *)
        hidden=no
        printf '%s\n' "$line"
        ;;
    esac
  done
}

# Sources newer than the distribution, or no distribution, or one without its AOT caches.
distribution_is_stale() {
  made=launcher/target/bivouac/lib/classpath
  [ -f "$made" ] || return 0
  [ -f launcher/target/bivouac/lib/server.aot ] || [ -n "${BIVOUAC_SKIP_AOT:-}" ] || return 0
  [ -n "$(find . \( -name target -o -name node_modules -o -name .git \) -prune -o \
    \( -path './*/src/main/*' -o -path './launcher/src/distribution/*' -o -name pom.xml -o -path './agent/*.rs' -o -path './agent/*.proto' \
    -o -path './sdk-ts/src/*' -o -path './console/*' \) \
    -type f -newer "$made" -print 2>/dev/null | head -n 1)" ]
}
