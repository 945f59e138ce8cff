import type { InstalledPackage } from '@plimsoll/model';
import { assessHost } from '../../src/index.ts';
import { assessed, type DebianHost, installed, offered, statement } from '../debian-host.ts';

const libssl = installed('libssl3', '3.0.11-1', { name: 'openssl' });
const openssl = { sourceName: 'openssl', sourceVersion: '3.0.15-1' };
const toFix = offered('libssl3', '3.0.11-1', '3.0.15-1', openssl);

function row(host: Partial<DebianHost>, fixes: readonly (string | null)[] = ['3.0.15-1']) {
  const statements = { openssl: fixes.map((fix, index) => statement(`CVE-2024-000${index}`, fix)) };
  const [finding] = assessHost(assessed({ packages: [libssl], statements, ...host })).findings;
  return finding;
}
const state = (...args: Parameters<typeof row>) => row(...args)?.fixState;

describe('the state of a fix', () => {
  it('is installable if the host is offered the fixed source version or a newer one', () => {
    expect(row({ upgrades: [toFix] })).toMatchObject({
      fixState: 'installable',
      candidateVersion: '3.0.15-1',
    });
    expect(state({ upgrades: [{ ...toFix, sourceVersion: '3.0.16-1' }] })).toBe('installable');
  });

  it('is not_in_repositories if no version or only too old ones are offered', () => {
    expect(row({})).toMatchObject({ fixState: 'not_in_repositories', candidateVersion: null });
    expect(state({ upgrades: [{ ...toFix, sourceVersion: '3.0.14-1' }] })).toBe('not_in_repositories');
  });

  it('depends on offers for the same package and architecture', () => {
    expect(state({ upgrades: [{ ...toFix, name: 'libssl-dev' }] })).toBe('not_in_repositories');
    expect(state({ upgrades: [{ ...toFix, architecture: 'i386' }] })).toBe('not_in_repositories');
    expect(state({ upgrades: [{ ...toFix, architecture: 'all' }] })).toBe('installable');
  });

  it.each<[string, Partial<DebianHost>]>([
    ['the update', { upgrades: [{ ...toFix, held: true }] }],
    ['the package', { packages: [{ ...libssl, held: true }], upgrades: [toFix] }],
    ['the package, so that nothing is offered', { packages: [{ ...libssl, held: true }] }],
  ])('is held if the host holds %s', (_what, host) => {
    expect(state(host)).toBe('held');
  });

  it('is phased if offered to other hosts first, and held if the host holds it as well', () => {
    const phased = { ...toFix, phased: true };
    expect(state({ upgrades: [phased] })).toBe('phased');
    expect(state({ upgrades: [{ ...phased, held: true }] })).toBe('held');
    expect(state({ upgrades: [phased], packages: [{ ...libssl, held: true }] })).toBe('held');
    expect(state({ upgrades: [phased, toFix] })).toBe('installable');
  });

  it('is not held if even the held update has no fix', () => {
    expect(state({ upgrades: [{ ...toFix, held: true, sourceVersion: '3.0.14-1' }] })).toBe(
      'not_in_repositories',
    );
  });

  it('is only published if the host’s offers are unknown', () => {
    expect(state({ facts: { updates: 'unknown' } })).toBe('fix_published');
    expect(state({ upgrades: [toFix], facts: { updates: 'unknown' } })).toBe('installable');
  });

  it.each([
    ['a third party’s', { ...toFix, origin: 'Somebody' }],
    ['a backport', { ...toFix, suite: 'bookworm-backports' }],
    ['of another source', { ...toFix, sourceName: 'openssl-next' }],
  ])('is only published if the offer is %s', (_what, upgrade) => {
    const finding = row({ upgrades: [upgrade] });
    expect(finding?.fixState).toBe('fix_published');
    expect(finding?.evidence.notes.map(({ code }) => code)).toContain('candidate_not_comparable');
  });

  it('is the vendor’s word without a fix', () => {
    expect(state({}, [null])).toBe('no_fix');
    const eol = statement('CVE-2024-0001', null, {
      fix: { kind: 'unfixed', reason: 'will_not_fix', detail: 'end-of-life' },
    });
    expect(state({ statements: { openssl: [eol, statement('CVE-2024-0002', null)] } })).toBe('will_not_fix');
  });

  it('is per advisory; the row takes the first in order', () => {
    const finding = row({ upgrades: [toFix] }, ['3.0.15-1', '3.0.17-1', null]);
    expect(finding?.advisories.map(({ fixState }) => fixState)).toEqual([
      'installable',
      'not_in_repositories',
      'no_fix',
    ]);
    expect(finding).toMatchObject({ fixState: 'installable', fixedVersion: '3.0.17-1' });
  });
});

describe('an offer without a stated source', () => {
  const offer = (from: InstalledPackage, to: string) => [offered(from.name, from.version, to)];

  it('counts as the source’s if installed binary and source versions are equal, and the evidence shows it', () => {
    const finding = row({ upgrades: offer(libssl, '3.0.15-1') });
    expect(finding).toMatchObject({ fixState: 'installable' });
    expect(finding?.evidence.notes.map(({ code }) => code)).toContain('candidate_source_assumed');
  });

  it('counts without its rebuild suffix', () => {
    const rebuilt = installed('libssl3', '3.0.11-1+b3', { name: 'openssl', version: '3.0.11-1' });
    expect(state({ packages: [rebuilt], upgrades: offer(rebuilt, '3.0.15-1+b1') })).toBe('installable');
    expect(state({ packages: [rebuilt], upgrades: offer(rebuilt, '3.0.15-1+b1') }, ['3.0.15-1+a1'])).toBe(
      'not_in_repositories',
    );
  });

  it('never counts if the two differ: a binary’s own epoch must not pass for the source’s', () => {
    const bsdutils = installed('bsdutils', '1:3.0.11-1', { name: 'openssl', version: '3.0.11-1' });
    expect(state({ packages: [bsdutils], upgrades: offer(bsdutils, '1:3.0.12-1') })).toBe('fix_published');
  });
});
