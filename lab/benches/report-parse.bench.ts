import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { isPackageFamily, type PackageFamily, packageFamilies } from '@plimsoll/model';
import { parseReport } from '@plimsoll/reports';

/**
 * The speed and memory of parsing text reports: hosts of 3,000 packages a hundred times, and ever larger ones in
 * separate processes. Run it with `npm run bench -w @plimsoll/reports`.
 */
const receivedAt = new Date('2026-11-20T12:00:00Z');
const families: Readonly<Record<PackageFamily, (count: number) => string>> = {
  apt: aptReport,
  rpm: rpmReport,
};

const [, , family = '', packages] = process.argv;
if (isPackageFamily(family)) measureOne(family, Number(packages));
else measureAll(process.argv[1] ?? '');

function measureAll(program: string): void {
  for (const name of packageFamilies) print(throughput(name, 3_000));
  for (const name of packageFamilies) {
    for (const count of [1, 3_000, 6_000, 12_000, 24_000, 48_000]) {
      const child = spawnSync(process.execPath, [program, name, String(count)], { encoding: 'utf8' });
      print(child.stdout.trim());
    }
  }
}

/** Parses one report and prints this process's peak memory. */
function measureOne(name: PackageFamily, count: number): void {
  const report = Buffer.from(families[name](count));
  const before = process.resourceUsage().maxRSS;
  const start = performance.now();
  parseOrFail(report);
  const ms = performance.now() - start;
  const grown = (process.resourceUsage().maxRSS - before) / 1024;
  const size = megabytes(report.length);
  print(
    `${name} ${count} packages: ${size.toFixed(2)} MB once in ${ms.toFixed(0)} ms, +${grown.toFixed(0)} MiB resident`,
  );
}

/** Measured in processor time, so that other processes do not count. */
function throughput(name: PackageFamily, count: number): string {
  const report = Buffer.from(families[name](count));
  const rounds = 100;
  for (let round = 0; round < rounds; round++) parseOrFail(report);
  const start = process.cpuUsage();
  const started = performance.now();
  for (let round = 0; round < rounds; round++) parseOrFail(report);
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(start);
  const size = megabytes(report.length) * rounds;
  const speed = (ms: number): string => ((size * 1000) / ms).toFixed(1);
  const cpuMs = (user + system) / 1000;
  return `${name} ${count} packages, ${megabytes(report.length).toFixed(2)} MB: ${speed(cpuMs)} MB/s of processor time, ${speed(wallMs)} MB/s by the clock`;
}

function parseOrFail(report: Uint8Array): void {
  const parsed = parseReport(report, { receivedAt });
  if (parsed.kind === 'report_invalid') throw new Error(JSON.stringify(parsed.errors));
}

function megabytes(bytes: number): number {
  return bytes / 1_000_000;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function report(
  family: PackageFamily,
  sections: Readonly<Record<string, readonly string[]>>,
  exits: Record<string, number>,
) {
  const body = Object.entries(sections).flatMap(([name, lines]) => [
    `@${name}`,
    ...lines.map((line) => ` ${line}`),
    `@exit ${exits[name] ?? 0}`,
  ]);
  const lines = [`plimsoll-report 1 ${family} 1.0.0`, ...body];
  return `${lines.join('\n')}\n@end ${Object.keys(sections).length} ${lines.length}\n`;
}

/** A host with an update for every fifth package. */
function aptReport(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `libexample-package${index}`);
  const outdated = names.filter((_, index) => index % 5 === 0);
  const file = (suite: string, component: string) =>
    `http://deb.debian.org/debian${suite.endsWith('security') ? '-security' : ''} ${suite}/${component} amd64 Packages`;
  const policies = names.flatMap((name, index) => [
    `${name}:`,
    '  Installed: 2.36-9+deb12u7',
    `  Candidate: ${index % 5 === 0 ? '2.36-9+deb12u13' : '2.36-9+deb12u7'}`,
    '  Version table:',
    ...(index % 5 === 0
      ? ['     2.36-9+deb12u13 500', `        500 ${file('bookworm-security', 'main')}`]
      : []),
    ' *** 2.36-9+deb12u7 500',
    `        500 ${file('bookworm', 'main')}`,
    '        100 /var/lib/dpkg/status',
  ]);
  return report(
    'apt',
    {
      observed: ['collected_at\t1795180000', 'booted_at\t1795000000', 'boot_id\tx'],
      'os-release': ['ID=debian', 'VERSION_ID="12"'],
      platform: ['architecture\tamd64'],
      kernel: ['release\t6.1.0-29-amd64'],
      reboot: ['flag\tno'],
      'deleted-files': [],
      dpkg: names.map((name) => `ii \t${name}\tamd64\t2.36-9+deb12u7\texample-source\t2.36-9+deb12u7`),
      'apt-files': [
        'Package files:',
        ` 500 ${file('bookworm-security', 'main')}`,
        '     release v=12,o=Debian,a=stable-security,n=bookworm-security,l=Debian-Security,c=main,b=amd64',
        ` 500 ${file('bookworm', 'main')}`,
        '     release v=12.11,o=Debian,a=stable,n=bookworm,l=Debian,c=main,b=amd64',
      ],
      'apt-policy': policies,
      'apt-upgrade': [
        ...outdated.map(
          (name) =>
            `Inst ${name} [2.36-9+deb12u7] (2.36-9+deb12u13 Debian-Security:12/stable-security [amd64])`,
        ),
        `${outdated.length} upgraded, 0 newly installed, 0 to remove and 0 not upgraded.`,
      ],
      'apt-candidates': outdated.flatMap((name) => [
        `Package: ${name}`,
        'Source: example-source',
        'Version: 2.36-9+deb12u13',
        'Architecture: amd64',
        '',
      ]),
      'apt-sources': ['deb http://deb.debian.org/debian bookworm main'],
    },
    {},
  );
}

/** A host with an update and two advisories for every fifth package. */
function rpmReport(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `example-package${index}`);
  const outdated = names.filter((_, index) => index % 5 === 0);
  const signature = 'RSA/SHA256, Wed Nov 15 11:34:34 2023, Key ID 51d6647ec21ad6ea';
  return report(
    'rpm',
    {
      observed: ['collected_at\t1795180000', 'booted_at\t1795000000', 'boot_id\tx'],
      'os-release': ['ID="almalinux"', 'VERSION_ID="9.5"'],
      platform: ['architecture\tx86_64'],
      kernel: ['release\t5.14.0-503.el9.x86_64'],
      reboot: ['flag\tno', 'needs-restarting\t0'],
      'deleted-files': [],
      rpm: names.map((name) =>
        [
          name,
          '(none)',
          '1.2.3',
          '4.el9_5',
          'x86_64',
          `${name}-1.2.3-4.el9_5.src.rpm`,
          'AlmaLinux',
          '(none)',
          '1700000000',
          signature,
        ].join('\t'),
      ),
      modules: [],
      updates: ['tool\tdnf', ...outdated.map((name) => `${name}.x86_64    1.2.4-1.el9_5    baseos`)],
      locks: ['kernel*'],
      advisories: [
        'tool\tdnf',
        ...outdated.flatMap((name) => [
          `ALSA-2025:1001 Important/Sec. ${name}-1.2.3-9.el9_5.x86_64`,
          `ALBA-2025:1002 bugfix         ${name}-1.2.4-1.el9_5.x86_64`,
        ]),
      ],
      repositories: ['tool\tdnf', 'Repo-id : baseos'],
    },
    { updates: 100 },
  );
}
