import type { Subscription } from '@plimsoll/model';
import { assessHost } from '../../src/index.ts';
import {
  assessed,
  installed,
  kernelImage,
  offered,
  pro,
  running,
  type UbuntuHost,
  unattached,
} from '../ubuntu-host.ts';
import { cveAdvisory, esmInfra } from '../ubuntu-records.ts';

const from = '1:4.1.48-4';
const fixed = '1:4.1.48-4+deb11u2ubuntu0.1~esm1';
const netty = installed('libnetty-java', from, { name: 'netty' });
const esmOffer = offered('libnetty-java', from, fixed, {
  sourceName: 'netty',
  repository: 'UbuntuESMApps:22.04/jammy-apps-security',
  suite: 'jammy-apps-security',
  origin: 'UbuntuESMApps',
});
const onlyPro = (ecosystem = 'Ubuntu:Pro:22.04:LTS', specific = {}) => [
  cveAdvisory('CVE-2022-24823', [{ ecosystem, name: 'netty', fixed, specific }]),
];

function finding(host: Partial<UbuntuHost>, advisories = onlyPro()) {
  return assessHost(assessed({ packages: [netty], advisories, ...host })).findings[0];
}
const state = (...args: Parameters<typeof finding>) => finding(...args)?.fixState;

describe('a fix shipped only by Ubuntu Pro', () => {
  it.each<[string, Subscription | null]>([
    ['is not attached', unattached],
    ['has no data about a subscription', null],
    ['is attached without that service', pro('esm-infra', 'livepatch')],
    ['lists services but is not attached', { ...pro('esm-apps'), attached: false }],
  ])('needs a subscription if the host %s', (_what, subscription) => {
    expect(finding({ subscription })).toMatchObject({
      fixState: 'needs_subscription',
      fixed: true,
      fixedVersion: fixed,
      advisories: [{ statement: { fix: { service: 'esm-apps' } } }],
    });
  });

  it('is missing from the repositories if the host has the service but no offer', () => {
    expect(state({ subscription: pro('esm-apps') })).toBe('not_in_repositories');
  });

  it('is missing from the repositories, or published, if the state of the subscription could not be read', () => {
    const host = assessed({ packages: [netty], advisories: onlyPro(), subscription: 'unknown' });
    expect(assessHost(host)).toMatchObject({
      findings: [{ fixState: 'not_in_repositories' }],
      grounds: ['open_finding', 'blocked_fix'],
    });
    expect(state({ subscription: 'unknown', facts: { updates: 'unknown' } })).toBe('fix_published');
    expect(state({ subscription: 'unknown', upgrades: [esmOffer] })).toBe('installable');
  });

  it('is installable if offered, with any subscription data', () => {
    for (const subscription of [pro('esm-apps'), unattached, null]) {
      expect(finding({ subscription, upgrades: [esmOffer] })).toMatchObject({
        fixState: 'installable',
        candidateVersion: fixed,
      });
    }
  });

  it('is held if the host holds the offer', () => {
    expect(state({ subscription: pro('esm-apps'), upgrades: [{ ...esmOffer, held: true }] })).toBe('held');
  });

  it('needs a subscription even if offers are unknown, and is published with one', () => {
    const facts = { updates: 'unknown' as const };
    expect(state({ subscription: unattached, facts })).toBe('needs_subscription');
    expect(state({ subscription: pro('esm-apps'), facts })).toBe('fix_published');
  });

  it('counts as a finding with a fix, and calls for no update', () => {
    const host = assessed({ packages: [netty], advisories: onlyPro(), subscription: unattached });
    expect(assessHost(host)).toMatchObject({
      counts: { moderate: 1, unfixed: 0 },
      grounds: ['open_finding', 'needs_subscription'],
    });
  });

  it('is independent of a free fix: each advisory has its own state', () => {
    const everybodys = cveAdvisory('CVE-2022-0001', [{ name: 'netty', fixed: '1:4.1.48-4ubuntu0.1' }]);
    const both = finding({ subscription: unattached }, [...onlyPro(), everybodys]);
    expect(both?.advisories.map(({ fixState }) => fixState).sort()).toEqual([
      'needs_subscription',
      'not_in_repositories',
    ]);
    expect(both?.fixState).toBe('needs_subscription');
  });

  it('needs no subscription if the same version is free', () => {
    const entries = [
      { ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'netty', fixed },
      { ecosystem: 'Ubuntu:22.04:LTS', name: 'netty', fixed },
    ];
    for (const order of [entries, [...entries].reverse()]) {
      expect(state({ subscription: unattached }, [cveAdvisory('CVE-2022-24823', order)])).toBe(
        'not_in_repositories',
      );
    }
  });

  it.each([
    ['Ubuntu:Pro:22.04:LTS', { availability: esmInfra }, 'esm-infra', 'esm-apps'],
    ['Ubuntu:Pro:22.04:LTS', {}, 'esm-apps', 'esm-infra'],
    ['Ubuntu:Pro:22.04:LTS', { availability: '' }, 'esm-infra', 'livepatch'],
    ['Ubuntu:Pro:22.04:LTS', { availability: '' }, 'esm-apps', 'livepatch'],
    ['Ubuntu:Pro:22.04:LTS:Realtime:Kernel', {}, 'realtime-kernel', 'esm-infra'],
  ])('of %s %j is what a host with %s gets, and one with %s does not', (ecosystem, specific, has, lacks) => {
    const advisories = onlyPro(ecosystem, specific);
    expect(state({ subscription: pro(has) }, advisories)).toBe('not_in_repositories');
    expect(state({ subscription: pro(lacks) }, advisories)).toBe('needs_subscription');
  });

  it('counts for the running kernel as for any package', () => {
    const image = kernelImage('5.15.0-69-generic', '5.15.0-69.76');
    const advisories = [
      cveAdvisory('CVE-2023-0001', [
        { ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'linux', fixed: '5.15.0-201.211' },
      ]),
    ];
    const host = { packages: [image], kernel: running('5.15.0-69-generic', '76') };
    expect(state({ ...host, subscription: unattached }, advisories)).toBe('needs_subscription');
  });

  it('for FIPS builds does not apply to other builds, nor the reverse', () => {
    const openssl = (version: string) => installed('libssl3', version, { name: 'openssl' });
    const offer = (to: string, origin: string) =>
      offered('libssl3', '', to, { sourceName: 'openssl', origin, suite: 'jammy-updates' });
    const advisories = [
      cveAdvisory('CVE-2024-0001', [
        { name: 'openssl', fixed: '3.0.2-0ubuntu1.15' },
        { ecosystem: 'Ubuntu:Pro:FIPS-updates:22.04:LTS', name: 'openssl', fixed: '3.0.2-0ubuntu1.15+Fips1' },
      ]),
    ];
    const toFips = offer('3.0.2-0ubuntu1.18+Fips1', 'UbuntuFIPSUpdates');
    const toPlain = offer('3.0.2-0ubuntu1.18', 'Ubuntu');
    const of = (version: string, upgrade: typeof toFips) =>
      state(
        { packages: [openssl(version)], upgrades: [upgrade], subscription: pro('fips-updates') },
        advisories,
      );
    expect(of('3.0.2-0ubuntu1.12', toPlain)).toBe('installable');
    expect(of('3.0.2-0ubuntu1.12', toFips)).toBe('fix_published');
    expect(of('3.0.2-0ubuntu1.12+Fips1', toFips)).toBe('installable');
    expect(of('3.0.2-0ubuntu1.12+Fips1', toPlain)).toBe('fix_published');
  });
});
