import type { InstalledPackage, Release, Upgrade } from '@plimsoll/model';
import { settleOffers } from '../../src/index.ts';
import { installed, offered } from '../debian-host.ts';

const bookworm = 'debian:12' as Release;
const nine = 'rhel:9' as Release;

const of = (name: string, version: string, architecture = 'amd64'): InstalledPackage => ({
  ...installed(name, version),
  architecture,
});

function settle(upgrades: readonly Upgrade[], packages: readonly InstalledPackage[], release = bookworm) {
  const { upgrades: settled, notes } = settleOffers(upgrades, packages, release);
  return {
    rows: settled.map(
      ({ name, installedVersion, candidateVersion }) => `${name} ${installedVersion}>${candidateVersion}`,
    ),
    notes: notes.map(({ detail }) => detail),
  };
}

describe('the offers of a report, compared with its package list', () => {
  it('exclude installed versions, with one note', () => {
    const upgrades = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => offered(name, '1-1', '1-1'));
    const packages = [...upgrades.map(({ name }) => of(name, '1-1')), of('vim', '1-1')];
    expect(settle([...upgrades, offered('vim', '1-1', '1-2')], packages)).toEqual({
      rows: ['vim 1-1>1-2'],
      notes: [
        '6 entries offer the version that is installed and were left out: a 1-1, b 1-1, c 1-1, d 1-1, e 1-1, …',
      ],
    });
  });

  it('keep downgrades and versions that cannot be compared', () => {
    const packages = [of('low', '2-1'), of('odd', 'a b')];
    const upgrades = [offered('low', '2-1', '1-1'), offered('odd', 'a b', '2-1')];
    expect(settle(upgrades, packages)).toEqual({ rows: ['low 2-1>1-1', 'odd a b>2-1'], notes: [] });
  });

  it('start from the version in the package list, because findings are judged by it', () => {
    const packages = [of('stale', '1-1'), of('done', '1-2')];
    const upgrades = [offered('stale', '1-0', '1-2'), offered('done', '1-1', '1-2')];
    expect(settle(upgrades, packages)).toEqual({
      rows: ['stale 1-1>1-2'],
      notes: [
        '1 entries offer the version that is installed and were left out: done 1-2',
        '1 entries name an installed version that the package list does not have; the list counts: stale 1-2',
      ],
    });
  });

  it('are updates of an installed package although the report omits its version', () => {
    expect(settle([offered('curl', '', '1-2')], [of('curl', '1-1')]).rows).toEqual(['curl 1-1>1-2']);
  });

  it('of a package that the list lacks are unchanged', () => {
    const upgrades = [offered('linux-image-6.1.0-30-amd64', '', '6.1.124-1'), offered('gone', '1-1', '1-2')];
    expect(settle(upgrades, [of('vim', '1-1')]).rows).toEqual([
      'linux-image-6.1.0-30-amd64 >6.1.124-1',
      'gone 1-1>1-2',
    ]);
  });

  it('of one architecture do not change another', () => {
    const packages = [of('libc6', '2-2', 'amd64'), of('libc6', '2-1', 'i386')];
    const upgrade = offered('libc6', '2-1', '2-2', { architecture: 'i386' });
    expect(settle([upgrade], packages).rows).toEqual(['libc6 2-1>2-2']);
    expect(settle([{ ...upgrade, installedVersion: '' }], [of('libc6', '2-2', 'amd64')]).rows).toEqual([
      'libc6 >2-2',
    ]);
  });

  it('may make a package architecture-independent', () => {
    const upgrade = offered('tool', '1-1', '1-1', { architecture: 'all' });
    expect(settle([upgrade], [of('tool', '1-1', 'amd64')]).rows).toEqual([]);
  });

  it('of several installed kernels start from the newest', () => {
    const packages = ['5.14.0-9.el9', '5.14.0-70.el9', '5.14.0-10.el9'].map((version) =>
      of('kernel-core', version, 'x86_64'),
    );
    const offer = (to: string) => offered('kernel-core', '5.14.0-10.el9', to, { architecture: 'x86_64' });
    expect(settle([offer('5.14.0-427.el9')], packages, nine).rows).toEqual([
      'kernel-core 5.14.0-70.el9>5.14.0-427.el9',
    ]);
    expect(settle([offer('0:5.14.0-9.el9')], packages, nine).rows).toEqual([]);
    expect(settle([offer('5.14.0-11.el9')], packages, nine).rows).toEqual([
      'kernel-core 5.14.0-70.el9>5.14.0-11.el9',
    ]);
  });

  it('are settled in linear time, for any host data', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => n);
    const packages = many.map((n) => of('same-name', `1-${n}`));
    const upgrades = many.map((n) => offered('same-name', '0', `2-${n}`, { architecture: `a${n}` }));
    const own = many.map((n) => offered('same-name', '0', `3-${n}`));
    const before = process.cpuUsage();
    expect(settle([...upgrades, ...own], packages).rows).toHaveLength(20_000);
    // Comparing all pairs would take 100 million comparisons, a minute.
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
  });
});
