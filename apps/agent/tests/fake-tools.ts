import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes commands into `folder`, each a small sh script with the given text. */
export function writeTools(folder: string, tools: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(tools)) {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
}

/** A small Debian host: three packages, one update. */
export const smallAptHost: Readonly<Record<string, string>> = {
  dpkg: 'echo amd64',
  'dpkg-query': `case $3 in
    *{Status}*) printf 'install ok installed %s\\n' bash libc6:amd64; echo 'deinstall ok config-files old' ;;
    *y:Package}) echo dpkg ;;
    *) printf '%s\\t%s\\t%s\\t%s\\t%s\\t%s\\n' 'ii ' bash amd64 5.2-1 bash 5.2-1 'ii ' libc6 amd64 2.36-9 glibc 2.36-9 \\
      'rc ' old all 1 old 1 ;;
  esac`,
  'apt-cache': `while [ "$1" = -o ]; do shift 2; done
  case "$*" in
    policy) echo 'Package files:' ;;
    policy*) shift; for name in "$@"; do
        printf '%s:\\n  Installed: %s\\n  Candidate: %s\\n' "\${name%:amd64}" 1 2; done ;;
    show*) shift; for name in "$@"; do
        printf 'Package: %s\\nVersion: %s\\nSource: src\\nDescription: no\\n\\n' "\${name%=*}" "\${name#*=}"; done ;;
  esac`,
  'apt-get': `echo 'Inst bash [5.2-1] (5.2-2 Debian:12/stable [amd64])'
    echo 'Inst linux-image-6.1.0-30-amd64 (6.1.124-1 Debian-Security:12/stable-security [amd64])'`,
};
