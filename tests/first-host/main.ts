/**
 * `npm run test:first-host -- [FOLDER [RELEASE]]`: enrols the first host over https on fresh roots of Debian, with the
 * real service and the real install command. Not part of `npm test`: it needs root, debootstrap and a mirror of Debian,
 * and takes some minutes. FOLDER keeps the roots between runs; RELEASE is a code name, to try only that one.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { debianRoot, type Equipment, missingForRoots, releases } from './debian-roots.ts';
import { type HttpsService, serviceName, startHttpsService } from './https-service.ts';

const projectDir = process.env['PLIMSOLL_ROOT'] ?? process.cwd();
const traces =
  'ls -d /usr/local/sbin/plimsoll-agent* /var/lib/plimsoll-agent /etc/cron.d/plimsoll-agent 2>/dev/null';

/** A kind of fresh host, the commands run there as root, and the expected output. */
interface Case {
  readonly equipment: Equipment;
  readonly about: string;
  readonly autoApprove: boolean;
  /** Shell commands around `INSTALL`, which is replaced by the registration token's command. */
  readonly commands: string;
  readonly expected: readonly RegExp[];
  readonly unexpected: readonly RegExp[];
  /** Whether the server must know the host afterwards. */
  readonly arrives: boolean;
}

const trust = 'export PLIMSOLL_CA_FILE=/host/ca.pem';
/** A cron table that runs every minute, whether or not a report is due: shows within a minute what cron does. */
const letCronRun = `
  table=/etc/cron.d/plimsoll-agent
  before=$(cat /var/lib/plimsoll-agent/sent)
  sed -i 's,^[0-9]*-59/15,*,; s, --if-due,,' $table
  for second in $(seq 150); do [ "$(cat /var/lib/plimsoll-agent/sent)" = "$before" ] || break; sleep 1; done
  [ "$(cat /var/lib/plimsoll-agent/sent)" = "$before" ] || echo 'cron has sent a report'`;
const uninstall = `plimsoll-agent uninstall; echo "uninstalled $?"; ${traces} || echo 'no trace is left'`;

const cases: readonly Case[] = [
  {
    equipment: 'cron',
    about: 'cron',
    autoApprove: true,
    commands: `cron; ${trust}; INSTALL; echo "exit $?"; ${letCronRun}; ${uninstall}`,
    expected: [
      /the server saw: debian VERSION[.\d]*, \d+ packages/,
      /the host is approved/,
      /cron sends the next reports/,
      /^exit 0$/m,
      /^cron has sent a report$/m,
      /^uninstalled 0$/m,
      /^no trace is left$/m,
    ],
    unexpected: [/WARNING/, /systemd timer/],
    arrives: true,
  },
  {
    equipment: 'bare',
    about: 'neither cron nor systemd',
    autoApprove: false,
    commands: `${trust}; INSTALL; echo "exit $?"; ls /etc/cron.d/plimsoll-agent 2>/dev/null; ${uninstall}`,
    expected: [
      /the server saw: debian VERSION[.\d]*, \d+ packages/,
      /THE HOST WAITS FOR APPROVAL/,
      /NO FURTHER REPORT IS SENT AUTOMATICALLY/,
      /run --forever/,
      /^exit 0$/m,
      /^no trace is left$/m,
    ],
    unexpected: [/cron sends/, /systemd timer/, /^\/etc\/cron\.d/m],
    arrives: true,
  },
  {
    equipment: 'bare',
    about: 'an authority that the host does not trust',
    autoApprove: false,
    commands: `INSTALL; echo "exit $?"; ${traces} || echo 'no trace is left'`,
    expected: [/certificate/, /^exit [1-9]/m, /^no trace is left$/m],
    unexpected: [/enrolled/],
    arrives: false,
  },
  {
    equipment: 'no-curl',
    about: 'wget instead of curl',
    autoApprove: true,
    commands: `${trust}; INSTALL; echo "exit $?"; ${uninstall}`,
    expected: [/the server saw: debian VERSION[.\d]*, \d+ packages/, /^exit 0$/m, /^no trace is left$/m],
    unexpected: [/cron sends/],
    arrives: true,
  },
  {
    equipment: 'no-client',
    about: 'neither curl nor wget',
    autoApprove: true,
    commands: `${trust}; INSTALL; echo "exit $?"; ${traces} || echo 'no trace is left'`,
    expected: [/neither curl nor wget is installed here/, /^exit 1$/m, /^no trace is left$/m],
    unexpected: [/enrolled/],
    arrives: false,
  },
];

interface SeenHost {
  readonly id: string;
  readonly os_version: string;
  readonly status: string;
}

/** Runs one case; returns what was wrong, with all output. */
async function tryHost(
  service: HttpsService,
  roots: string,
  folder: string,
  tried: Case,
  { name, version }: (typeof releases)[number],
): Promise<string | null> {
  const root = debianRoot(roots, name, tried.equipment);
  const issued = await service.ask<{ install_command: string }>('POST', '/api/v1/registration-tokens', {
    name: `${name} ${tried.about}`,
    auto_approve: tried.autoApprove,
  });
  const before = await service.ask<SeenHost[]>('GET', '/api/v1/hosts');
  const script = `echo '127.0.0.1 ${serviceName}' >>/etc/hosts\n${tried.commands}\n`;
  writeFileSync(
    path.join(folder, 'commands.sh'),
    script.replace('INSTALL', () => issued.install_command),
  );
  const enter = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private', 'sh'];
  const ran = spawnSync(
    'unshare',
    [...enter, path.join(folder, 'enter-root.sh'), root, path.join(folder, 'commands.sh')],
    { encoding: 'utf8' },
  );
  const said = `${ran.stdout}${ran.stderr}`;
  const after = await service.ask<SeenHost[]>('GET', '/api/v1/hosts');
  const [host] = after.filter(({ id }) => !before.some((old) => old.id === id));
  const wanted = tried.expected.map(
    ({ source, flags }) => new RegExp(source.replace('VERSION', version), flags),
  );
  const problems = [
    ...wanted.filter((words) => !words.test(said)).map((words) => `not said: ${words}`),
    ...tried.unexpected.filter((words) => words.test(said)).map((words) => `said: ${words}`),
    ...(tried.arrives === (host?.status === 'active')
      ? []
      : [`the server knows ${JSON.stringify(host ?? null)}`]),
  ];
  return problems.length === 0 ? null : `${problems.join('\n')}\n--- what was said:\n${said}`;
}

async function main(): Promise<number> {
  const missing = missingForRoots();
  if (missing.length > 0) {
    process.stdout.write(
      `SKIPPED: the first host on fresh roots. This machine lacks ${missing.join(', ')}.\n`,
    );
    return 0;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-first-host-'));
  const roots = process.argv[2] ?? path.join(folder, 'roots');
  copyFileSync(path.join(projectDir, 'tests/first-host/enter-root.sh'), path.join(folder, 'enter-root.sh'));
  const service = await startHttpsService(projectDir, folder);
  let failures = 0;
  try {
    for (const release of releases.filter(({ name }) => name === (process.argv[3] ?? name))) {
      for (const tried of cases) {
        const startedAt = performance.now();
        const problem = await tryHost(service, roots, folder, tried, release);
        if (problem !== null) failures += 1;
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        const outcome = problem === null ? 'ok' : `FAILED\n${problem}`;
        process.stdout.write(`Debian ${release.version}, ${tried.about} (${seconds} s): ${outcome}\n`);
      }
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main();
