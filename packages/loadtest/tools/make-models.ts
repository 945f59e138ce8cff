/**
 * Writes packages/loadtest/models/*.tsv: `node tools/run.mjs packages/loadtest/tools/make-models.ts DATA`, in the project
 * folder. DATA is a folder with
 *
 * - `SUITE-security.main.binary-amd64.Packages`: indexes of Debian's security archive, decompressed;
 * - `Rockylinux9WithSQLite3.tsv`, `CentOS8Modularitylabel.tsv`: tables of `rpm -qa` with a header line.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Platform, Repository } from '@plimsoll/model';
import { decodeSnapshot } from '@plimsoll/reports';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: make-models.ts DATA');

type Os = Omit<Platform, 'hostname' | 'machineId' | 'virtualization' | 'ipAddresses'>;

const columns = ['name', 'architecture', 'version', 'source', 'source_version', 'vendor', 'module'];

type Rows = readonly (readonly string[])[];

/** The repositories that such a machine has from the beginning. */
const el: readonly Repository[] = ['baseos', 'appstream'].map((id) => ({
  id,
  url: `https://mirror.example/${id}/`,
  enabled: true,
  suite: '',
  origin: '',
}));

function debianRepositories(codename: string): readonly Repository[] {
  return [codename, `${codename}-updates`, `${codename}-security`].map((suite) => ({
    id: `deb ${suite} main`,
    url: `https://mirror.example/debian/${suite}/`,
    enabled: true,
    suite,
    origin: 'Debian',
  }));
}

function write(file: string, platform: Os, repositories: readonly Repository[], rows: Rows): void {
  const sorted = rows.map((row) => row.join('\t')).sort();
  const text = [
    `# ${JSON.stringify({ platform, repositories })}`,
    columns.join('\t'),
    ...new Set(sorted),
    '',
  ].join('\n');
  writeFileSync(path.join('packages/loadtest/models', file), text);
  process.stdout.write(`${file}: ${new Set(sorted).size} packages\n`);
}

/** The names of the packages of the example's machine, so that an archive's index becomes the list of one machine. */
function namesOfExample(): ReadonlySet<string> {
  const bytes = gunzipSync(readFileSync('examples/debian-12.snapshot.pb.gz'));
  const decoded = decodeSnapshot(bytes, { receivedAt: new Date() });
  if (decoded.kind !== 'snapshot') throw new Error('the example cannot be read');
  return new Set(decoded.snapshot.packages.map(({ name }) => name));
}

function debian(version: string, codename: string, names: ReadonlySet<string>): void {
  const index = readFileSync(
    path.join(folder ?? '', `${codename}-security.main.binary-amd64.Packages`),
    'utf8',
  );
  const rows = index.split('\n\n').flatMap((stanza) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
    const name = field('Package');
    if (!names.has(name)) return [];
    const [, source = name, sourceVersion = field('Version')] =
      /^(\S+)(?: \((.*)\))?$/.exec(field('Source')) ?? [];
    return [[name, field('Architecture'), field('Version'), source, sourceVersion, 'Debian', '']];
  });
  const os: Os = {
    osFamily: 'apt',
    osId: 'debian',
    osVersionId: version,
    osVersion: version,
    osCodename: codename,
    osPrettyName: `Debian GNU/Linux ${version} (${codename})`,
    architecture: 'amd64',
  };
  write(`debian-${version}.tsv`, os, debianRepositories(codename), newestOf(rows));
}

/** An index lists several versions of some packages, oldest first: the last of each name. */
function newestOf(rows: Rows): Rows {
  return [...new Map(rows.map((row) => [row[0], row])).values()];
}

function rpm(table: string, file: string, os: Os): void {
  const [, ...lines] = readFileSync(path.join(folder ?? '', table), 'utf8').split('\n');
  const rows = lines.flatMap((line) => {
    const [name, epoch, version, release, architecture, sourceRpm, vendor = '', module = ''] =
      line.split('\t');
    if (name === undefined || name === 'gpg-pubkey' || release === undefined) return [];
    const prefix = epoch === '(none)' || epoch === '0' ? '' : `${epoch}:`;
    const [, source = name, sourceVersion = `${version}-${release}`] =
      /^(.+)-([^-]+-[^-]+)\.src\.rpm$/.exec(sourceRpm ?? '') ?? [];
    const label = module === '(none)' ? '' : module;
    const full = `${prefix}${version}-${release}`;
    return [[name, architecture ?? '', full, source, `${prefix}${sourceVersion}`, vendor, label]];
  });
  write(file, os, el, rows);
}

const names = namesOfExample();
debian('11', 'bullseye', names);
debian('13', 'trixie', names);
rpm('Rockylinux9WithSQLite3.tsv', 'rocky-9.tsv', {
  osFamily: 'rpm',
  osId: 'rocky',
  osVersionId: '9.3',
  osVersion: '9.3',
  osCodename: 'Blue Onyx',
  osPrettyName: 'Rocky Linux 9.3 (Blue Onyx)',
  architecture: 'aarch64',
});
rpm('CentOS8Modularitylabel.tsv', 'centos-8.tsv', {
  osFamily: 'rpm',
  osId: 'centos',
  osVersionId: '8',
  osVersion: '8.2.2004',
  osCodename: '',
  osPrettyName: 'CentOS Linux 8 (Core)',
  architecture: 'x86_64',
});
