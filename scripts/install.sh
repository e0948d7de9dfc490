#!/bin/sh
# Installs Bivouac from its tarball, or from the folder that the tarball was unpacked to.
#
#   install.sh [--prefix FOLDER] [--no-service] [bivouac-VERSION-linux-x86_64.tar.gz]
#   install.sh --uninstall [--prefix FOLDER]
#
# As root it goes to /opt/bivouac, with a service of systemd where that runs; else to ~/.local/opt/bivouac. An
# installation that is there is replaced; settings and data stay, and running sandboxes go on.
set -eu

stop() {
  echo "install.sh: $*" >&2
  exit 1
}

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)
prefix= service=yes uninstall=no tarball=
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -gt 1 ] || stop "--prefix needs a folder."
      prefix=$2
      shift
      ;;
    --no-service) service=no ;;
    --uninstall) uninstall=yes ;;
    -h | --help)
      sed -n '2,8s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    -*) stop "unknown option $1. Try: install.sh --help" ;;
    *)
      [ -z "$tarball" ] || stop "only one tarball can be installed."
      tarball=$1
      ;;
  esac
  shift
done

# Only an installation at the usual place gets a service: its unit names that place.
root=no
[ "$(id -u)" != 0 ] || root=yes
usual=$([ "$root" = yes ] && echo /opt/bivouac || echo "${HOME:?}/.local/opt/bivouac")
prefix=${prefix:-$usual}
case $prefix in /*) ;; *) prefix=$(pwd)/$prefix ;; esac
[ "$prefix" = "$usual" ] && [ "$root" = yes ] && [ -d /run/systemd/system ] || service=no
programs=$([ "$root" = yes ] && echo /usr/local/bin || echo "${HOME:?}/.local/bin")
# Elsewhere nothing is linked: two installations would fight for one name.
[ "$prefix" = "$usual" ] || programs=
unit=/etc/systemd/system/bivouac.service

if [ "$uninstall" = yes ]; then
  [ -x "$prefix/bin/bivouac-server" ] || stop "there is no Bivouac in $prefix."
  if [ "$service" = yes ] && [ -f "$unit" ]; then
    systemctl disable --now bivouac.service
    rm "$unit"
    systemctl daemon-reload
  fi
  [ -z "$programs" ] || rm -f "$programs/bivouac-server"
  rm -rf --one-file-system "$prefix"
  echo "Bivouac is removed from $prefix. Its settings and its data are still there."
  exit 0
fi

case $(uname -s)-$(uname -m) in
  Linux-x86_64) ;;
  *) stop "this package is for Linux on x86_64." ;;
esac

mkdir -p "$(dirname "$prefix")"
new=$prefix.new
rm -rf --one-file-system "$new"
trap 'rm -rf --one-file-system "$new"' EXIT
if [ -n "$tarball" ]; then
  [ -f "$tarball" ] || stop "there is no file $tarball."
  if [ -f "$tarball.sha256" ]; then
    expected=$(cut -d ' ' -f 1 "$tarball.sha256")
    [ "$(sha256sum "$tarball" | cut -d ' ' -f 1)" = "$expected" ] || stop "$tarball is damaged: its SHA-256 is not the one in $tarball.sha256."
  fi
  mkdir "$new"
  tar -xzf "$tarball" -C "$new" --strip-components=1 --no-same-owner
elif [ -x "$here/bin/bivouac-server" ]; then
  # With times: the start-up caches are bound to those of the jars.
  cp -a "$here" "$new"
else
  stop "name the tarball: install.sh bivouac-VERSION-linux-x86_64.tar.gz"
fi
version=$("$new/bin/bivouac-server" --version) || stop "the program in the package does not run here."

[ "$service" = no ] || ! systemctl is-active --quiet bivouac.service || systemctl stop bivouac.service
old=$prefix.old
rm -rf --one-file-system "$old"
[ ! -e "$prefix" ] || mv "$prefix" "$old"
mv "$new" "$prefix"
rm -rf --one-file-system "$old"
if [ -n "$programs" ]; then
  mkdir -p "$programs"
  ln -sf "$prefix/bin/bivouac-server" "$programs/bivouac-server"
fi
echo "$version is in $prefix."

if [ "$service" = yes ]; then
  mkdir -p /etc/bivouac
  [ -f /etc/bivouac/bivouac.yml ] || install -m 644 "$prefix/bivouac.yml" /etc/bivouac/
  install -m 644 "$prefix/bivouac.service" "$unit"
  systemctl daemon-reload
  systemctl enable --now bivouac.service
  echo "It runs as the service bivouac: journalctl -u bivouac, settings in /etc/bivouac/bivouac.yml."
else
  echo "Start it: ${programs:-$prefix/bin}/bivouac-server"
fi
command -v bwrap >/dev/null 2>&1 || echo "Sandboxes need bubblewrap: apt-get install bubblewrap (or set BIVOUAC_RUNTIME=docker)."
