import { assessHost, feedOf } from '../../../src/index.ts';
import { advisoryRead } from '../../read-advisory.ts';
import { storedStatements } from '../../stored-statements.ts';
import { assessed, installed } from '../../ubuntu-host.ts';
import { cveAdvisory, type advisoryIn as readAdvisory } from '../../ubuntu-records.ts';

const cve = 'CVE-2024-0001';
const id = `UBUNTU-${cve}`;
const preamble = 'This package (for the given release)';

function read(document: unknown) {
  const feed = feedOf('ubuntu-vex');
  if (feed?.kind !== 'advisories') throw new Error('ubuntu-vex is not registered');
  return feed.read(document, { release: null });
}

const source = (name: string, distro: string) => `pkg:deb/ubuntu/${name}@1.0-1?arch=source&distro=${distro}`;
const said = (status: string, products: readonly unknown[], rest: object = {}, name = cve) => ({
  vulnerability: { name, description: 'It fails. Then more.' },
  status,
  products: products.map((product) => ({ '@id': product })),
  ...rest,
});
const document = (statements: readonly object[], rest: object = {}) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  timestamp: '2026-05-20T15:02:47.589121Z',
  statements,
  ...rest,
});
const packagesIn = (...statements: readonly object[]) => {
  const reading = read(document(statements));
  return reading.kind === 'read' ? reading.items[0]?.packages : reading.kind;
};

describe("one of Canonical's OpenVEX documents", () => {
  it('is read with the id and the releases that OSV has', () => {
    const affected = said('affected', [
      source('curl', 'jammy'),
      'pkg:deb/ubuntu/curl@1.0-1?arch=amd64&distro=jammy',
      source('curl', 'noble'),
      source('curl', 'no-such-name'),
      source('curl', 'fips-updates/jammy'),
    ]);
    expect(read(document([affected]))).toMatchObject({
      kind: 'read',
      asOf: new Date('2026-05-20T15:02:47Z'),
      items: [
        {
          externalId: id,
          kind: 'vulnerability',
          title: 'It fails.',
          cves: [cve],
          packages: [
            { release: 'ubuntu:22.04', name: 'curl', severity: 'unrated', builds: { line: null } },
            { release: 'ubuntu:24.04', name: 'curl' },
          ],
        },
      ],
    });
  });

  it.each([
    [
      'affected',
      `${preamble} is vulnerable to the CVE and needs fixing.`,
      'no_fix',
      'is vulnerable to the CVE and needs fixing.',
    ],
    [
      'affected',
      `${preamble} is vulnerable, but the Ubuntu Security Team decided to not fix it. CVE Notes / justification: x`,
      'will_not_fix',
      'is vulnerable, but the Ubuntu Security Team decided to not fix it.',
    ],
    [
      'affected',
      `${preamble} is no longer supported. Please upgrade.`,
      'will_not_fix',
      'is no longer supported. Please upgrade.',
    ],
    [
      'affected',
      'It is a CVE. CVE Notes / justification: they decided to not fix another',
      'no_fix',
      'It is a CVE.',
    ],
    ['affected', undefined, 'no_fix', ''],
    ['under_investigation', undefined, 'under_investigation', 'under investigation'],
  ])('states %s with %j as %s', (status, action, reason, detail) => {
    const rest = action === undefined ? {} : { action_statement: action };
    expect(packagesIn(said(status, [source('curl', 'jammy')], rest))).toMatchObject([
      { fix: { kind: 'unfixed', reason, detail } },
    ]);
  });

  it.each(['fixed', 'not_affected', 'a word nobody knows'])('says nothing of what is %s', (status) => {
    expect(packagesIn(said(status, [source('curl', 'jammy')]))).toBe('skipped');
  });

  it('is skipped if it is about a notice, and read in the older form', () => {
    expect(packagesIn(said('affected', [source('curl', 'jammy')], {}, 'USN-7372-1'))).toBe('skipped');
    const older = { metadata: { timestamp: '2025-01-10T16:31:43.856389' }, timestamp: undefined };
    expect(read(document([said('affected', [source('curl', 'jammy')])], older))).toMatchObject({
      asOf: new Date('2025-01-10T16:31:43Z'),
    });
  });

  it.each([null, 7, []])('is rejected if it is no object: %j', (value) => {
    expect(read(value)).toMatchObject({ kind: 'rejected', reason: 'not_an_object' });
  });

  it('is rejected if its statements are no list', () => {
    expect(read({ statements: 'x' })).toMatchObject({ kind: 'rejected', reason: 'not_a_vex_document' });
  });
});

describe('next to the OSV of the same CVE', () => {
  const ignored = { action_statement: `${preamble} is vulnerable, but it was decided to not fix it.` };
  const vex = advisoryRead(read(document([said('affected', [source('tool', 'jammy')], ignored)])));
  const osv = (fixed: string | null, esm: string | null = null) =>
    cveAdvisory(cve, [
      { name: 'tool', fixed },
      ...(esm === null ? [] : [{ ecosystem: 'Ubuntu:Pro:22.04:LTS', name: 'tool', fixed: esm }]),
    ]);
  const states = (version: string, record: ReturnType<typeof readAdvisory>) => {
    const of = (advisories: readonly (typeof vex)[]) =>
      storedStatements('dpkg', advisories, 'ubuntu:22.04', 'tool');
    const leading = of([vex]).map((each) => ({
      ...each,
      leads: true as const,
      statementId: 9000,
      advisory: 9 as never,
    }));
    const host = {
      packages: [installed('tool', version)],
      statements: { tool: [...of([record]), ...leading] },
    };
    return assessHost(assessed({ ...host, facts: { updates: 'unknown' } })).findings.flatMap(
      ({ advisories }) => advisories.map(({ fixState }) => fixState),
    );
  };

  it('its reason counts once, and fixes count before it', () => {
    expect(states('1.0-1', osv(null))).toEqual(['will_not_fix']);
    expect(states('1.0-1', osv('1.0-2'))).toEqual(['fix_published']);
    expect(states('1.0-2', osv('1.0-2'))).toEqual([]);
  });

  it('a fix of Ubuntu Pro is offered all the same', () => {
    expect(states('1.0-1', osv(null, '1.0-1+esm1'))).toEqual(['needs_subscription']);
    expect(states('1.0-1+esm1', osv(null, '1.0-1+esm1'))).toEqual([]);
  });
});
