#!/bin/sh
# Prepares .venv for a purpose: `venv.sh play`, `venv.sh dev`, `venv.sh wheel` or `venv.sh lock`.
# Versions come from requirements/constraints-*.txt, the lock file of the Python in .venv. uv installs them in
# seconds; pip brings uv, and takes over if uv fails, for example because only pip is told of a mirror.
# A stamp file, named by a checksum of the folder, pyproject.toml and the lock files, makes later calls fast.
set -eu
cd "$(dirname "$0")/.."
purpose=${1:-}
case $purpose in
    play) set -- -e '.[fast,serve]' ;;
    dev) set -- -e '.[dev]' ;;
    wheel) set -- hatchling ;; # nothing that the wheel itself needs
    lock) set -- ;; # uv only: the lock files may not fit pyproject.toml yet
    *)
        echo "usage: scripts/venv.sh play|dev|wheel|lock" >&2
        exit 2
        ;;
esac
key=$({ pwd; cat pyproject.toml requirements/constraints-*.txt scripts/venv.sh; } 2>/dev/null | cksum | tr ' ' -)
stamp=.venv/.$purpose-$key

runs() { [ -x .venv/bin/python ] && .venv/bin/python -c '' 2>/dev/null; }

if runs; then
    [ -f "$stamp" ] && exit 0
    [ "$purpose" != lock ] && [ -f ".venv/.dev-$key" ] && exit 0 # dev includes play and wheel
fi

# A Python in the PATH may be a stub that does not run, and on Debian it may lack ensurepip.
old=
find_python() {
    for name in python3.14 python3.13 python3.12 python3.11 python3; do
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        "$name" -c 'import ensurepip, venv' 2>/dev/null && return
        old=$name
    done
    return 1
}

# The environment must belong to this folder (its scripts contain the path), and its Python must still run.
home=.venv/.home-$(pwd | cksum | tr ' ' -)
if ! runs || ! [ -f "$home" ]; then
    if ! find_python; then
        if [ -n "$old" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            apt-get update -q >&2 && apt-get install -qy "$(basename "$(readlink -f "$(command -v "$old")")")-venv" >&2
            name=$old
        elif [ -n "$old" ]; then
            echo "$old has no ensurepip. On Debian or Ubuntu: sudo apt install python3-venv" >&2
            exit 1
        else
            echo "Paddock needs Python 3.11 or newer, and found none in the PATH." >&2
            exit 1
        fi
    fi
    echo "Making .venv with $("$name" --version)." >&2
    "$name" -m venv --clear .venv
    : >"$home"
fi

# pip and uv read these variables, also when they build Paddock; old releases of pip read the first one there. pip
# splits the value at spaces, so the path is relative.
version=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
constraints=requirements/constraints-$version.txt
if [ "$purpose" != lock ]; then
    if [ -f "$constraints" ]; then
        export PIP_CONSTRAINT="$constraints" PIP_BUILD_CONSTRAINT="$constraints"
        export UV_CONSTRAINT="$constraints" UV_BUILD_CONSTRAINT="$constraints"
    else
        echo "There is no $constraints: taking the newest versions that pyproject.toml allows." >&2
    fi
fi
pip() { .venv/bin/python -m pip install -q --disable-pip-version-check "$@"; }
uv() { .venv/bin/python -m uv pip install -q --python .venv/bin/python "$@"; }
echo "Installing what '$purpose' needs into .venv: up to a minute, once." >&2
if pip 'uv>=0.13,<1'; then
    .venv/bin/python -m uv pip uninstall -q --python .venv/bin/python paddock # its name before 0.8
    [ $# = 0 ] || uv "$@" || pip "$@"
elif [ $# != 0 ]; then
    pip "$@" # there is no uv for this system
else
    exit 1
fi
for other in .venv/.play-* .venv/.dev-* .venv/.wheel-* .venv/.lock-*; do
    [ "${other%"$key"}" = "$other" ] && rm -f "$other" # stamps for other versions of these files
done
: >"$stamp"
