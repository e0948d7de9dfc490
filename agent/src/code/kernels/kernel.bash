# Runs Bash for the agent. The shell is an interactive one, since only that comes back to its next line when it is
# interrupted; the lines come on standard input, and descriptor 3 tells how each went.
PS1= PS2= PS4='+ '
unset HISTFILE
set +o history +H
unset BASH_ENV MAILCHECK

__bivouac_done() {
  local IFS=' ' name
  for name in $__bivouac_envs; do __bivouac_back "$name"; done
  __bivouac_envs=
  [ -z "$__bivouac_running" ] || printf '{"type":"done","status":%d}\n' "$1" >&3
  __bivouac_running=
}

# Only where the code was interrupted: else it is done already.
PROMPT_COMMAND='__bivouac_done $?'

__bivouac_set() {
  __bivouac_envs+=" $1"
  printf -v "__bivouac_was_$1" %s "${!1-}"
  printf -v "__bivouac_had_$1" %s "${!1+yes}"
  export "$1=$2"
}

__bivouac_back() {
  local had="__bivouac_had_$1" was="__bivouac_was_$1"
  if [ -n "${!had}" ]; then export "$1=${!was}"; else unset "$1"; fi
  unset "$had" "$was"
}
printf '{"type":"ready"}\n' >&3
