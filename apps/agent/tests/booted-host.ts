import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { circumstance, newFolder, type PrivateHost, runCommand } from '@plimsoll/testing';

/**
 * The outer half runs in this machine's name spaces, in a separate control group that systemd uses as its root. The
 * booted host has only systemd's own services, without those for devices and mounts.
 */
const outer = `
set -e
layer=$1
folder=$2
group=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)/plimsoll-test-$$
mkdir "$group"
( echo "$(exec sh -c 'echo $PPID')" >"$group/cgroup.procs"
  exec unshare --mount --pid --cgroup --uts --ipc --fork --kill-child --propagation private sh -c "$3" sh "$layer" "$folder" ) || :
for left in $(find "$group" -depth -type d); do rmdir "$left"; done
`;
const enter = `
set -e
layer=$1
mount -t tmpfs tmpfs "$layer"
mkdir "$layer/changed" "$layer/work" "$layer/root"
root=$layer/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$layer/changed,workdir=$layer/work" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp" && chmod 1777 "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mkdir "$root/host"
mount --bind "$2" "$root/host"
rm -rf "$root"/etc/systemd/system/*.wants "$root"/usr/lib/systemd/system/*.wants "$root"/usr/lib/systemd/system-generators
: >"$root/etc/fstab"
cat >"$root/etc/systemd/system/plimsoll-test.service" <<'UNIT'
[Unit]
DefaultDependencies=no
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'exec sh /host/commands.sh >/host/stdout 2>/host/stderr'
ExecStopPost=/bin/sh -c 'echo $EXIT_STATUS >/host/status; kill -s RTMIN+4 1'
UNIT
# Not chroot alone: for a unit's own mounts, paths begin where those of all mounts here begin.
cd "$root"
pivot_root . .
umount -l .
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . \\
  /lib/systemd/systemd --unit=plimsoll-test.service --log-target=null --show-status=no </dev/null
`;

/** What this machine lacks to boot a host. */
export function missingForBootedHost(): readonly string[] {
  if (process.getuid?.() !== 0) return [circumstance('root')];
  const folder = newFolder('boot-probe');
  const [program = '', ...args] = boot(folder, 'true', 'systemctl is-system-running');
  spawnSync(program, args);
  const hasBooted = existsSync(path.join(folder, 'status'));
  rmSync(folder, { recursive: true, force: true });
  return hasBooted ? [] : [circumstance('a systemd that starts in name spaces of its own')];
}

/**
 * A private host like privateHost's, but with a real systemd as its first process: units are started,
 * confined and stopped as on a booted host. It is shut down after the commands. `folder` is mounted as /host.
 */
export function bootedHost(folder: string): PrivateHost {
  return {
    run: async (prepare, commands) => {
      const { stderr } = await runCommand(boot(folder, prepare, commands));
      const read = (name: string) => readFileSync(path.join(folder, name), 'latin1');
      if (!existsSync(path.join(folder, 'status'))) throw new Error(`the host did not boot: ${stderr}`);
      const result = { status: Number(read('status')), stdout: read('stdout'), stderr: read('stderr') };
      if (result.status === 99) throw new Error(`the host could not be prepared: ${result.stderr}`);
      return result;
    },
  };
}

/** Writes the script; returns the command that boots a host with it. */
function boot(folder: string, prepare: string, commands: string): readonly string[] {
  const layer = path.join(folder, 'layer');
  mkdirSync(layer, { recursive: true });
  for (const name of ['stdout', 'stderr', 'status']) rmSync(path.join(folder, name), { force: true });
  writeFileSync(
    path.join(folder, 'commands.sh'),
    `{ ${prepare}\n} >/tmp/prepared 2>&1 || { cat /tmp/prepared >&2; exit 99; }\n${commands}\n`,
  );
  // unshare ignores a milder signal, and systemd would continue without it.
  return ['timeout', '-s', 'KILL', '90', 'sh', '-c', outer, 'sh', layer, folder, enter];
}
