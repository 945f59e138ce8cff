import { anyBuild } from '@plimsoll/model';
import { debianAdvisory, debianRecord, readDebian } from '../debian-records.ts';

describe('a vulnerability record of Debian’s tracker', () => {
  it('names releases, source packages and fixed versions', () => {
    expect(debianAdvisory('CVE-2024-6387')).toEqual({
      externalId: 'CVE-2024-6387',
      kind: 'vulnerability',
      title: "A security regression (CVE-2006-5051) was discovered in OpenSSH's server (sshd).",
      url: 'https://security-tracker.debian.org/tracker/CVE-2024-6387',
      publishedAt: new Date('2024-07-01T13:15:06Z'),
      modifiedAt: expect.any(Date),
      withdrawnAt: null,
      aliases: [],
      cves: ['CVE-2024-6387'],
      cvss: { score: 8.1, vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H' },
      packages: [
        {
          release: 'debian:12',
          name: 'openssh',
          severity: 'important',
          severitySource: 'cvss',
          fix: { kind: 'fixed', version: '1:9.2p1-2+deb12u3', service: null },
          builds: anyBuild,
        },
        {
          release: 'debian:13',
          name: 'openssh',
          severity: 'important',
          severitySource: 'cvss',
          fix: { kind: 'fixed', version: '1:9.7p1-7', service: null },
          builds: anyBuild,
        },
      ],
    });
  });

  it('skips entries of other ecosystems and without a package', () => {
    const foreign = (
      debianRecord('CVE-2023-45853')['affected'] as { package?: { ecosystem?: string } }[]
    ).map((entry) => entry.package?.ecosystem?.split(':')[0]);
    expect(new Set(foreign)).toEqual(new Set(['Debian', 'Alpine', undefined]));
    const parsed = readDebian(debianRecord('CVE-2023-45853'));
    expect(parsed).toMatchObject({ kind: 'read', issues: [] });
    expect(
      debianAdvisory('CVE-2023-45853').packages.map(({ release, name }) => `${release} ${name}`),
    ).toEqual([
      'debian:11 minizip',
      'debian:11 zlib',
      'debian:12 minizip',
      'debian:12 zlib',
      'debian:13 zlib',
    ]);
  });

  it('keeps other names of the vulnerability as aliases', () => {
    expect(debianAdvisory('CVE-2023-45853').aliases).toEqual(['GHSA-mq29-j5xf-cjwr']);
  });

  it('is unfixed if no fix is listed', () => {
    const zlib = debianAdvisory('CVE-2023-45853').packages.filter(({ name }) => name === 'zlib');
    expect(zlib[1]).toEqual({
      release: 'debian:12',
      name: 'zlib',
      severity: 'critical',
      severitySource: 'cvss',
      fix: { kind: 'unfixed', reason: 'no_fix', detail: '' },
      builds: anyBuild,
    });
  });

  it('is hidden if Debian rates it unimportant, with any CVSS score', () => {
    const { cvss, packages } = debianAdvisory('CVE-2011-3374');
    expect(cvss?.score).toBe(3.7);
    expect(packages.map(({ severity }) => severity)).toEqual(['none', 'none', 'none']);
  });

  it('is will_not_fix in a release where the package is at its end of life', () => {
    expect(debianAdvisory('CVE-2021-37219').packages).toEqual([
      {
        release: 'debian:11',
        name: 'consul',
        severity: 'important',
        severitySource: 'cvss',
        fix: { kind: 'unfixed', reason: 'will_not_fix', detail: 'end-of-life' },
        builds: anyBuild,
      },
    ]);
  });

  it('is unrated without an urgency and without CVSS', () => {
    expect(debianAdvisory('CVE-2024-53685').packages[1]).toMatchObject({
      release: 'debian:12',
      severity: 'unrated',
    });
  });

  it.each([
    ['high', 'important'],
    ['medium', 'moderate'],
    ['Low', 'low'],
    ['unimportant', 'none'],
    ['not yet assigned', 'important'],
    ['end-of-life', 'important'],
    ['a word nobody knows', 'important'],
    [7, 'important'],
  ])('maps urgency %j to %s despite CVSS 8.1', (urgency, severity) => {
    const record = debianRecord('CVE-2024-6387');
    for (const entry of record['affected'] as Record<string, unknown>[])
      entry['ecosystem_specific'] = { urgency };
    expect(readDebian(record)).toMatchObject({
      kind: 'read',
      items: [{ packages: [{ severity }, { severity }] }],
    });
  });

  it('is the same in today’s form, under its new name', () => {
    const { related: _related, ...record } = debianRecord('CVE-2024-6387');
    const today = { ...record, id: 'DEBIAN-CVE-2024-6387', upstream: ['CVE-2024-6387'] };
    const parsed = readDebian(today);
    const old = debianAdvisory('CVE-2024-6387');
    expect(parsed).toEqual({
      kind: 'read',
      id: 'DEBIAN-CVE-2024-6387',
      items: [{ ...old, externalId: 'DEBIAN-CVE-2024-6387' }],
      asOf: old.modifiedAt,
      issues: [],
    });
  });
});

describe('an erratum of Debian', () => {
  it('names its CVEs under "related" in older exports', () => {
    expect(debianAdvisory('DSA-5724-1')).toMatchObject({
      kind: 'erratum',
      title: 'openssh - security update',
      url: 'https://security-tracker.debian.org/tracker/DSA-5724-1',
      cves: ['CVE-2024-6387'],
      aliases: [],
      packages: [{ release: 'debian:12', name: 'openssh', severity: 'unrated' }],
    });
  });

  it('names its CVEs under "upstream" or "aliases" elsewhere, with or without the distribution’s prefix', () => {
    const { related: _related, ...record } = debianRecord('DSA-5724-1');
    const aliases = ['CVE-2024-6409', 'DEBIAN-CVE-2024-6409', 'GHSA-2x8c-95vh-gfv4'];
    const parsed = readDebian({ ...record, upstream: ['DEBIAN-CVE-2024-6387'], aliases });
    expect(parsed).toMatchObject({
      kind: 'read',
      items: [{ cves: ['CVE-2024-6387', 'CVE-2024-6409'], aliases: ['GHSA-2x8c-95vh-gfv4'] }],
    });
  });

  it('can name no CVE', () => {
    expect(debianAdvisory('DSA-5460-1')).toMatchObject({ kind: 'erratum', cves: [] });
  });
});

describe('a record that is not for the feed', () => {
  const entry = (ecosystem: unknown) => ({
    package: { ecosystem, name: 'openssh' },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }],
  });

  it.each(['Debian', 'Debian:sid', 'Debian:12.5', 'Ubuntu:22.04:LTS', 'debian:12', ''])(
    'skips a record of ecosystem %j',
    (ecosystem) => {
      const record = { id: 'CVE-2024-6387', affected: [entry(ecosystem)] };
      expect(readDebian(record)).toEqual({
        kind: 'skipped',
        reason: 'no_release_of_this_feed',
      });
    },
  );

  it('skips a record without affected packages', () => {
    expect(readDebian({ id: 'CVE-2024-6387' }).kind).toBe('skipped');
    expect(readDebian({ id: 'CVE-2024-6387', affected: [] }).kind).toBe('skipped');
  });

  it('rejects a record for one of its releases with an unknown id form', () => {
    const record = { id: 'GHSA-2x8c-95vh-gfv4', affected: [entry('Debian:12')] };
    expect(readDebian(record)).toMatchObject({
      kind: 'rejected',
      reason: 'unknown_id_form',
    });
  });
});

describe('an erratum without a CVE', () => {
  const erratum = (summary: unknown, rest: object = {}) =>
    readDebian({
      id: 'DLA-4100-1',
      summary,
      affected: [
        {
          package: { ecosystem: 'Debian:12', name: 'tzdata' },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2025b-0+deb12u1' }] }],
        },
      ],
      ...rest,
    });

  it.each([
    'tzdata - new timezone database',
    'debian-security-support - update',
    'galera-4 - new upstream version',
    'needrestart - regression update',
    'apt-listchanges - bugfix update',
  ])('whose type is not about security is skipped: %s', (summary) => {
    expect(erratum(summary)).toEqual({ kind: 'skipped', reason: 'not_about_security' });
  });

  it.each(['ucf - security update', 'tor - Security update', 'tzdata', '', 7, undefined])(
    'counts if its type is about security or not known: %j',
    (summary) => {
      expect(erratum(summary).kind).toBe('read');
    },
  );

  it.each([
    { related: ['CVE-2025-1000'] },
    { upstream: ['DEBIAN-CVE-2025-1000'] },
    { upstream: 'CVE-2025-1000' },
    { aliases: ['TEMP-0000000-0CA7E3'] },
  ])('is not meant if the record names any id: %j', (rest) => {
    expect(erratum('tzdata - regression update', rest).kind).toBe('read');
  });
});
