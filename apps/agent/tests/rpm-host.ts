import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { missingCommands, missingForPrivateHost, runCommand } from '@plimsoll/testing';

const testdata = path.resolve(__dirname, '../testdata/rpm-host');

interface RpmPackage {
  readonly name: string;
  readonly epoch?: number;
  readonly version: string;
  readonly release: string;
  readonly arch?: 'noarch';
  readonly module?: string;
  readonly provides?: string;
}

const longName = 'java-17-openjdk-headless-slowdebug-with-a-name-that-fills-a-terminal';
const kernel = { name: 'kernel-core', version: '5.14.0', provides: 'installonlypkg(kernel)' } as const;

const installed: readonly RpmPackage[] = [
  { name: 'almalinux-release', version: '9.4', release: '1.el9', provides: 'system-release = 9.4' },
  { name: 'bash', version: '5.1.8', release: '9.el9' },
  { name: 'openssl-libs', epoch: 1, version: '3.0.7', release: '27.el9' },
  { ...kernel, release: '427.13.1.el9_4' },
  { ...kernel, release: '503.11.1.el9_5' },
  { name: 'python3-unbound', version: '1.16.2', release: '3.el9' },
  { name: longName, epoch: 1, version: '17.0.11.0.9', release: '2.el9' },
  {
    name: 'perl-libs',
    epoch: 4,
    version: '5.32.1',
    release: '473.module_el8.6.0+2770+3b0c3b0c',
    module: 'perl:5.32:8060020211126131201:9fe1d287',
  },
  { name: 'tzdata', version: '2024a', release: '1.el9', arch: 'noarch' },
  { name: 'held', version: '1', release: '1' },
];

const offered: readonly RpmPackage[] = [
  { name: 'openssl-libs', epoch: 1, version: '3.0.7', release: '28.el9_4' },
  { ...kernel, release: '503.14.1.el9_5' },
  {
    name: longName,
    epoch: 1,
    version: '17.0.13.0.11',
    release: '4.el9_5.with.a.release.as.long.as.the.name',
  },
  {
    name: 'perl-libs',
    epoch: 4,
    version: '5.32.1',
    release: '474.module_el8.6.0+2771+4c0c3b0c',
    module: 'perl:5.32:8060020221126131201:9fe1d287',
  },
  { name: 'tzdata', version: '2024b', release: '1.el9', arch: 'noarch' },
  { name: 'held', version: '2', release: '1' },
];

/** What this machine lacks to make an rpm host. */
export function missingForRpmHost(): readonly string[] {
  return [
    ...missingForPrivateHost(),
    ...missingCommands('rpm', 'rpmbuild', 'dnf', 'createrepo_c', 'modifyrepo_c', 'setpriv'),
  ];
}

/** Fills `folder` with an rpm host's packages and repository, using rpmbuild and createrepo_c. */
export async function makeRpmHost(folder: string): Promise<void> {
  cpSync(testdata, path.join(folder, 'testdata'), { recursive: true });
  await buildPackages(folder, installed, path.join(folder, 'installed'));
  const repository = path.join(folder, 'baseos');
  await buildPackages(folder, offered, repository);
  await mustRun(['createrepo_c', '--quiet', repository]);
  for (const file of ['updateinfo.xml', 'modules.yaml']) {
    const type = path.parse(file).name;
    const data = path.join(repository, 'repodata');
    await mustRun(['modifyrepo_c', `--mdtype=${type}`, path.join(testdata, file), data]);
  }
}

/** The shell commands that make a private host an rpm host. */
export function prepareRpmHost(): string {
  return readFileSync(path.join(testdata, 'prepare.sh'), 'utf8');
}

async function buildPackages(folder: string, packages: readonly RpmPackage[], target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const options = [
    ...['--quiet', '-bb', '--define', `_topdir ${folder}/build`, '--define', `_rpmdir ${target}`],
    ...['--define', '_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm'],
  ];
  for (const each of packages) {
    const spec = path.join(folder, 'package.spec');
    writeFileSync(spec, specOf(each));
    await mustRun(['rpmbuild', ...options, '--target', each.arch ?? 'x86_64', spec]);
  }
}

function specOf({ name, epoch, version, release, arch, module, provides }: RpmPackage): string {
  return [
    `Name: ${name}`,
    ...(epoch === undefined ? [] : [`Epoch: ${epoch}`]),
    `Version: ${version}`,
    `Release: ${release}`,
    'Summary: Made for tests',
    'License: MIT',
    'Vendor: AlmaLinux',
    ...(arch === undefined ? [] : [`BuildArch: ${arch}`]),
    ...(module === undefined ? [] : [`ModularityLabel: ${module}`]),
    ...(provides === undefined ? [] : [`Provides: ${provides}`]),
    '%description\nMade for tests.\n%files\n',
  ].join('\n');
}

async function mustRun(command: readonly string[]): Promise<void> {
  const { status, stderr } = await runCommand(command);
  if (status !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`);
}
