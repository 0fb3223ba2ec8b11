#!/usr/bin/env bash
# Install the TACTA rig on Raspberry Pi OS, Debian or Ubuntu, 64 bit, with Python 3.11 to 3.13.
#
#   sudo deploy/install.sh [--camera WORD] [--network] [--mqtt] [--no-start]
#   sudo deploy/install.sh --uninstall [--purge]
#
#   --camera WORD   pi (the default), usb, rtsp://..., table; see docs/cameras.md
#   --network       serve the whole network, not this machine alone
#   --mqtt          with what publishing at an MQTT broker takes (Home Assistant)
#   --no-start      install, but do not start
#   --uninstall     remove the program; pictures, rounds and settings stay
#   --purge         with --uninstall: remove those as well, and the user
#   --root FOLDER   for trying it out: install below FOLDER, and only say what
#                   would be done to the system
#   --no-packages   leave the Python packages alone
#
# Running it again brings an installation up to date; settings are kept.
set -euo pipefail

source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root="" python="" camera="pi" options="" start=1 packages=1 uninstall=0 purge=0 mqtt=0

program=/opt/tacta-rig
settings=/etc/tacta-rig
data=/var/lib/tacta-rig
unit=/etc/systemd/system/tacta-rig.service
command=/usr/local/bin/tacta
user=tacta
least_mb=1500

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# What changes the system outside our own folders: only said under another root.
on_system() {
  if [[ -n $root ]]; then
    say "would run: $*"
  else
    "$@"
  fi
}

read_options() {
  while (($#)); do
    case $1 in
      --camera)
        [[ -n ${2:-} ]] || fail "--camera needs a word, such as pi or usb."
        camera=$2
        shift
        ;;
      --root)
        [[ -d ${2:-} ]] || fail "--root needs a folder that exists."
        root=$(cd "$2" && pwd)
        shift
        ;;
      --network) options="--network" ;;
      --mqtt) mqtt=1 ;;
      --no-start) start=0 ;;
      --no-packages) packages=0 ;;
      --uninstall) uninstall=1 ;;
      --purge) purge=1 ;;
      -h | --help)
        sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
        exit 0
        ;;
      *) fail "unknown option $1; see --help." ;;
    esac
    shift
  done
  if ((purge && !uninstall)); then fail "--purge goes with --uninstall."; fi
  [[ ! $camera =~ [[:space:]\"\'\\\$] ]] || fail "--camera takes one word, without spaces or quotes."
}

check_rights() {
  if [[ -z $root && $EUID -ne 0 ]]; then fail "run it with sudo."; fi
}

check_system() {
  local release=$root/etc/os-release kinds="" architecture
  if [[ -r $release ]]; then
    kinds=$(sed -n 's/^ID=//p; s/^ID_LIKE=//p' "$release" | tr -d '"' | paste -sd ' ')
  fi
  case " $kinds " in
    *" debian "* | *" ubuntu "*) ;;
    *) fail "this is ${kinds:-an unknown system}; Raspberry Pi OS, Debian or Ubuntu is needed." ;;
  esac
  architecture=$(dpkg --print-architecture)
  case $architecture in
    arm64 | amd64) ;;
    *) fail "this system is $architecture; a 64-bit edition (arm64 or amd64) is needed." ;;
  esac
  local free_mb
  free_mb=$(df --output=avail -BM "${root:-/}" | tail -n 1 | tr -dc '0-9')
  ((free_mb >= least_mb)) || fail "only $free_mb MB free; at least $least_mb MB are needed."
}

available() {
  apt-cache show "$1" >/dev/null 2>&1
}

install_system_packages() {
  local wanted=(python3 python3-venv) missing=() package
  if [[ $camera == pi* ]]; then
    available python3-picamera2 || on_system apt-get update -qq
    if available python3-picamera2; then
      # libcamera and its Python bindings come from the system only, and must match each other.
      wanted+=(python3-picamera2 python3-gpiozero python3-lgpio)
    else
      say "Left out: the Pi's camera and its button, as this system has no package python3-picamera2."
      say "Other cameras work (docs/cameras.md): run it again with --camera usb, for one."
    fi
  fi
  for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' ||
      missing+=("$package")
  done
  if ((${#missing[@]})); then
    on_system apt-get update -qq
    on_system env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}"
  fi
}

find_python() {
  local one
  for one in /usr/bin/python3 /usr/bin/python3.1{3,2,1}; do
    if "$one" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
      2>/dev/null; then
      python=$one
      return
    fi
  done
  fail "Python 3.11, 3.12 or 3.13 is needed in /usr/bin, and none of them is there."
}

make_user() {
  local group
  if ! getent passwd "$user" >/dev/null; then
    on_system useradd --system --user-group --home-dir "$data" --shell /usr/sbin/nologin "$user"
  fi
  for group in video gpio; do
    if getent group "$group" >/dev/null; then on_system usermod --append --groups "$group" "$user"; fi
  done
}

install_program() {
  local venv=$root$program/venv copy
  mkdir -p "$root$program/docs"
  cp "$source_folder"/docs/*.md "$source_folder"/docs/sbom.json "$root$program/docs/"
  ((packages)) || return 0
  # What was installed with --mqtt stays so.
  if [[ -d $(echo "$venv"/lib/python3*/site-packages/paho) ]]; then mqtt=1; fi
  # Another Python (after an upgrade of the system) means another environment.
  if [[ -x $venv/bin/python ]] && ! "$venv/bin/python" -c "import sys; sys.exit(
      sys.version_info[:2] != tuple(map(int, '$("$python" -c 'import sys
print(*sys.version_info[:2], sep=".")')'.split('.'))))" 2>/dev/null; then
    rm -rf "$venv"
  fi
  # The system's packages are visible for the button's; ours go before them. picamera2 is never
  # imported here: on bookworm it breaks with our numpy. The camera's process therefore runs on
  # the system's Python with the system's numpy.
  [[ -x $venv/bin/python ]] || "$python" -m venv --system-site-packages "$venv"
  say "Installing the Python packages (some minutes on a Pi)"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --ignore-installed \
    --require-hashes --only-binary :all: -r "$source_folder/requirements.lock"
  if ((mqtt)); then
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --ignore-installed \
      --require-hashes --only-binary :all: -r "$source_folder/requirements-mqtt.lock"
  fi
  # What builds our own package is locked too; nothing is fetched for that behind our back.
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --ignore-installed \
    --require-hashes --only-binary :all: -r "$source_folder/requirements-build.lock"
  copy=$(mktemp -d)
  cp -r "$source_folder"/{pyproject.toml,README.md,LICENSE,geometry,vision,calibration,simulator,referee,rig} "$copy"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --force-reinstall "$copy"
  rm -rf "$copy"
  "$venv/bin/tacta" --version
}

# On everybody's PATH, sudo's too. What lies there and is not ours stays.
install_command() {
  local link=$root$command
  if [[ -e $link && ! -L $link ]]; then
    say "Left out: $command, which is another program's; ours is $program/venv/bin/tacta."
    return
  fi
  mkdir -p "$(dirname "$link")"
  ln -sfn "$program/venv/bin/tacta" "$link"
}

install_settings() {
  local file=$root$settings/rig.env
  mkdir -p "$root$settings"
  if [[ -e $file ]]; then
    say "$settings/rig.env is kept as it is"
    return
  fi
  local text
  text=$(<"$source_folder/deploy/rig.env")
  text=${text//@CAMERA@/"$camera"}
  printf '%s\n' "${text//@OPTIONS@/"$options"}" >"$file.part"
  # An address of a camera may hold a password.
  chmod 640 "$file.part"
  on_system chown "root:$user" "$file.part"
  mv "$file.part" "$file"
}

install_unit() {
  mkdir -p "$(dirname "$root$unit")"
  install -m 644 "$source_folder/deploy/tacta-rig.service" "$root$unit"
  on_system systemctl daemon-reload
  on_system systemctl enable tacta-rig.service
  ((start)) || return 0
  on_system systemctl restart tacta-rig.service
}

remove() {
  on_system systemctl disable --now tacta-rig.service || true
  rm -f "$root$unit"
  [[ $(readlink "$root$command") != "$program/venv/bin/tacta" ]] || rm -f "$root$command"
  on_system systemctl daemon-reload
  rm -rf "${root%/}$program"
  if ((purge)); then
    rm -rf "$root$settings" "$root$data"
    if getent passwd "$user" >/dev/null; then on_system userdel "$user"; fi
    say "Removed, with all pictures, rounds and settings."
  else
    say "Removed. Pictures and rounds are still in $data, settings in $settings."
  fi
}

main() {
  read_options "$@"
  check_rights
  if ((uninstall)); then
    remove
    return
  fi
  check_system
  install_system_packages
  find_python
  make_user
  install_program
  install_command
  install_settings
  install_unit
  say "Installed. Where the page is, and how phones come in: sudo journalctl -u tacta-rig -n 60"
  say "What is in order and what is not: docs/build-the-rig.md, under 'Try it out'."
}

main "$@"
