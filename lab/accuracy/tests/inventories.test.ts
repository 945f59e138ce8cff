import type { Snapshot } from '@plimsoll/model';
import { type HostList, type ListedPackage, reportOfHostList } from '../src/inventory/host-list.ts';
import { inventoryOfReport } from '../src/inventory/inventory.ts';
import { readPackageTable } from '../src/inventory/package-table.ts';
import { readVulsResult } from '../src/inventory/vuls-result.ts';

const now = new Date('2026-11-20T12:00:00Z');
const snapshotOf = (list: HostList): Snapshot => inventoryOfReport('x', reportOfHostList(list), now).snapshot;

const package_: ListedPackage = {
  name: 'bash',
  architecture: 'x86_64',
  epoch: '',
  version: '4.4.20',
  release: '4.el8_6',
  sourceName: 'bash',
  sourceVersion: '4.4.20-4.el8_6',
  vendor: 'AlmaLinux',
  module: '',
  candidate: null,
};
const alma = { os: { id: 'almalinux', version: '8.9' }, runningRelease: '', runningVersion: '' };

it('reads a list of rpms like the host’s own report', () => {
  const perl = {
    ...package_,
    name: 'perl-libs',
    epoch: '4',
    module: 'perl:5.26:820181219174508:9edba152',
    sourceName: 'perl',
    candidate: { version: '4:5.26.3-422.el8', repository: 'baseos' },
  };
  const { platform, packages, upgrades } = snapshotOf({ ...alma, packages: [package_, perl] });
  expect(platform).toMatchObject({ osId: 'almalinux', osVersionId: '8.9', osFamily: 'rpm' });
  expect(packages).toMatchObject([
    { name: 'bash', version: '4.4.20-4.el8_6', vendor: 'AlmaLinux', module: '' },
    { name: 'perl-libs', version: '4:4.4.20-4.el8_6', sourceName: 'perl', module: perl.module },
  ]);
  expect(upgrades).toMatchObject([{ name: 'perl-libs', candidateVersion: '4:5.26.3-422.el8' }]);
});

it('offers no update for an installed candidate, and knows no updates without any candidate', () => {
  const current = { ...package_, candidate: { version: '4.4.20-4.el8_6', repository: '' } };
  const known = snapshotOf({ ...alma, packages: [current] });
  expect(known.upgrades).toEqual([]);
  expect(known.failures.map(({ section }) => section)).not.toContain('upgradable');
  const silent = snapshotOf({ ...alma, packages: [package_] });
  expect(silent.failures.map(({ section }) => section)).toContain('upgradable');
});

it('reads sources, kernel and candidates of a vuls result', () => {
  const list = readVulsResult({
    family: 'debian',
    release: '12.5',
    runningKernel: { release: '6.1.0-29-amd64', version: '6.1.123-1' },
    packages: {
      libssl3: {
        name: 'libssl3',
        version: '3.0.15-1',
        newVersion: '3.0.17-1',
        repository: 'bookworm-security',
      },
    },
    SrcPackages: { openssl: { name: 'openssl', version: '3.0.15-1', binaryNames: ['libssl3'] } },
  });
  if (list === null) throw new Error('is none');
  const { platform, kernel, packages, upgrades } = snapshotOf(list);
  expect(platform).toMatchObject({ osId: 'debian', osVersionId: '12' });
  expect(kernel).toMatchObject({
    runningRelease: '6.1.0-29-amd64',
    runningVersion: '#1 SMP Debian 6.1.123-1',
  });
  expect(packages).toMatchObject([{ name: 'libssl3', sourceName: 'openssl', sourceVersion: '3.0.15-1' }]);
  expect(upgrades).toMatchObject([{ name: 'libssl3', candidateVersion: '3.0.17-1' }]);
  expect(readVulsResult({ evaluations: [] })).toBeNull();
});

it('reads a table of rpm -qa, with "(none)" for absent values', () => {
  const header = 'name\tepoch\tversion\trelease\tarch\tsourcerpm\tvendor\tmodularitylabel';
  const bash = 'bash\t(none)\t4.2.46\t31.el7\tx86_64\tbash-4.2.46-31.el7.src.rpm\tCentOS\t(none)';
  const list = readPackageTable(`${header}\n${bash}\n`, {
    os: { id: 'centos', version: '7' },
    runningRelease: '3.10.0-1160.el7.x86_64',
  });
  expect(list.packages).toMatchObject([
    { epoch: '', sourceName: 'bash', sourceVersion: '4.2.46-31.el7', vendor: 'CentOS', module: '' },
  ]);
  expect(snapshotOf(list).kernel.runningRelease).toBe('3.10.0-1160.el7.x86_64');
});

it.each([
  ['name\tversion\nbash\t5\n', 'says nowhere which system'],
  ['#host\tx\tfamily=debian\trelease=12\nPackage\tVersion\nbash\t5\n', 'has no columns'],
])('refuses a table that does not say what it is', (text, detail) => {
  expect(() => readPackageTable(text, null)).toThrow(detail);
});
