import type { Release, Statement, WaiverId, WaiverKind } from '@plimsoll/model';
import { type AppliedWaiver, HostWaivers } from '../../src/index.ts';

function waiver(
  id: string,
  covers: Partial<Pick<AppliedWaiver, 'advisories' | 'packages'>>,
  { kind = 'risk_accepted', days = 30 }: { readonly kind?: WaiverKind; readonly days?: number } = {},
): AppliedWaiver {
  const expiresAt = new Date(Date.UTC(2026, 10, 23 + days));
  const createdBy = 'someone';
  return {
    id: id as WaiverId,
    kind,
    createdBy,
    expiresAt,
    advisories: [],
    packages: [],
    purls: [],
    ...covers,
  };
}

const fixed = { kind: 'fixed', version: '2', service: null, key: new Uint8Array([2]) } as const;
const unfixed = { kind: 'unfixed', reason: 'no_fix', detail: '' } as const;

function said(
  externalId: string,
  cves: readonly string[],
  fix: Statement['fix'] = fixed,
  openCves?: readonly string[],
): Pick<Statement, 'externalId' | 'cves' | 'openCves' | 'fix'> {
  return { externalId, cves, fix, ...(openCves === undefined ? {} : { openCves }) };
}

const openssl = {
  name: 'libssl3',
  version: '3.0.15-1',
  sourceName: 'openssl',
  sourceVersion: '3.0.15-1',
  architecture: 'amd64',
  release: 'debian:12' as Release,
};
const coverOf = (waivers: readonly AppliedWaiver[], statement: ReturnType<typeof said>) =>
  new HostWaivers(waivers).coverOf(statement, openssl)?.id ?? null;

const [one, two, three] = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003'];

describe('what a waiver covers', () => {
  it.each([
    ['the id of an advisory', [waiver('a', { advisories: ['DSA-1-1'] })], said('DSA-1-1', [one]), 'a'],
    ['the id of another', [waiver('a', { advisories: ['DSA-2-1'] })], said('DSA-1-1', [one]), null],
    ['its only CVE', [waiver('a', { advisories: [one] })], said('DSA-1-1', [one]), 'a'],
    ['one of two CVEs', [waiver('a', { advisories: [one] })], said('DSA-1-1', [one, two]), null],
    [
      'the one of two CVEs that is open',
      [waiver('a', { advisories: [one] })],
      said('DSA-1-1', [one, two], fixed, [one]),
      'a',
    ],
    [
      'both CVEs in two waivers: the one that ends first',
      [waiver('a', { advisories: [one] }, { days: 9 }), waiver('b', { advisories: [two] }, { days: 5 })],
      said('DSA-1-1', [one, two]),
      'b',
    ],
    [
      'a CVE in two waivers: the one that ends last',
      [waiver('a', { advisories: [one] }, { days: 5 }), waiver('b', { advisories: [one] }, { days: 9 })],
      said('DSA-1-1', [one]),
      'b',
    ],
    ['a statement without CVEs', [waiver('a', { advisories: [three] })], said('DSA-1-1', []), null],
    ['the binary package', [waiver('a', { packages: ['libssl3'] })], said('DSA-1-1', [one]), 'a'],
    ['the source package', [waiver('a', { packages: ['openssl'] })], said('DSA-1-1', [one]), 'a'],
    ['another package', [waiver('a', { packages: ['curl'] })], said('DSA-1-1', [one]), null],
  ])('%s', (_what, waivers, statement, expected) => {
    expect(coverOf(waivers, statement)).toBe(expected);
  });

  it('a snooze covers what has no fix, and nothing with a fix', () => {
    const snoozed = waiver('s', { advisories: [one] }, { kind: 'snoozed_until_fix', days: 90 });
    expect(coverOf([snoozed], said('DSA-1-1', [one], unfixed))).toBe('s');
    expect(coverOf([snoozed], said('DSA-1-1', [one], fixed))).toBeNull();
    expect(coverOf([snoozed, waiver('a', { advisories: [one] })], said('DSA-1-1', [one], fixed))).toBe('a');
  });
});
