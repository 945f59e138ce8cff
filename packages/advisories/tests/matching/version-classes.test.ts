import {
  type AdvisoryKey,
  anyBuild,
  type Builds,
  type Release,
  type Severity,
  type Statement,
  type StatementFix,
} from '@plimsoll/model';
import fc from 'fast-check';
import { keyScaleOf, matchVersion, type VersionToMatch, versionClassOf } from '../../src/index.ts';
import { keyOf } from '../stored-statements.ts';

// Few versions, so that many fixes, corrections and packages have equal ones.
const numbers = ['1-1', '1-1+deb12u1', '1-2~rc1', '1-2', '1-2+b1', '1:0-1', '2-1'];
const cves = ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003'];
const lines = ['', 'esm', 'fips', 'linux-5.15'];
const releases = ['debian:12', 'ubuntu:22.04', 'rocky:9'] as Release[];

const anyNumber = fc.constantFrom(...numbers);
const keyed = (version: string) => keyOf('dpkg', version);
const anyFix = fc.oneof(
  anyNumber.map((version): StatementFix => ({ kind: 'fixed', version, service: null, key: keyed(version) })),
  fc.tuple(fc.constantFrom('no_fix', 'will_not_fix', 'under_investigation'), fc.option(anyNumber)).map(
    ([reason, pending]): StatementFix => ({
      kind: 'unfixed',
      reason: reason as Extract<StatementFix, { kind: 'unfixed' }>['reason'], // One of the three above.
      detail: '',
      ...(pending === null ? {} : { pendingKey: keyed(pending) }),
    }),
  ),
);
const anyBuilds: fc.Arbitrary<Builds> = fc.record({
  architectures: fc.subarray(['amd64', 'arm64', 'all']),
  module: fc.constantFrom(null, '', 'nginx:1.20'),
  line: fc.constantFrom(null, ...lines),
});
const anyStatement = fc.record({
  fix: anyFix,
  builds: fc.oneof(fc.constant(anyBuild), anyBuilds),
  cves: fc.subarray(cves),
  kind: fc.constantFrom<Statement['kind']>('erratum', 'vulnerability'),
  externalId: fc.constantFrom('DSA-1', 'DSA-2', ...cves),
  severity: fc.constantFrom<Severity>('none', 'moderate', 'critical'),
  withdrawn: fc.boolean(),
  leads: fc.boolean(),
  override: fc.option(
    fc.record({ from: fc.option(anyNumber), before: fc.option(anyNumber) }).map(({ from, before }) => ({
      fromKey: from === null ? null : keyed(from),
      beforeKey: before === null ? null : keyed(before),
      reason: 'wrong',
      source: 'a bug report',
    })),
  ),
});

function statementsOf(all: readonly (typeof anyStatement extends fc.Arbitrary<infer T> ? T : never)[]) {
  return all.map(
    ({ leads, override, ...statement }, index): Statement => ({
      ...statement,
      statementId: index + 1,
      advisory: (index + 1) as AdvisoryKey, // A row's number.
      severitySource: 'vendor',
      knownExploited: false,
      firstSeenAt: new Date(0),
      ...(leads ? { leads: true } : {}),
      ...(override === null ? {} : { override }),
    }),
  );
}

const anyVersion = fc.record({
  version: anyNumber,
  architecture: fc.constantFrom('amd64', 'amd64', 'arm64'),
  module: fc.constantFrom('', '', 'nginx:1.20'),
  line: fc.constantFrom('', '', ...lines),
  follows: fc.constantFrom(undefined, undefined, 'main', 'linux-5.15'),
});

function versionOf(
  release: Release,
  {
    version,
    architecture,
    module,
    line,
    follows,
  }: typeof anyVersion extends fc.Arbitrary<infer T> ? T : never,
): VersionToMatch {
  return {
    architecture,
    version,
    sourceVersion: version,
    matchKey: keyed(version),
    release,
    verdict: {
      kind: 'comparable',
      matchName: 'nginx',
      matchVersion: version,
      module,
      line,
      ...(follows === undefined ? {} : { follows }),
      originStated: true,
      kernel: null,
    },
  };
}

it('versions of one class are open to the same statements, with the same CVEs', () => {
  let alike = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...releases),
      fc.array(anyStatement, { maxLength: 6 }),
      fc.array(anyVersion, { minLength: 6, maxLength: 14 }),
      fc.subarray(cves),
      (release, some, versions, judged) => {
        const statements = statementsOf(some);
        const scale = keyScaleOf(statements);
        if (scale === null) throw new Error('no statement names a source');
        const first = new Map<string, readonly Statement[]>();
        for (const each of versions) {
          const version = versionOf(release, each);
          const matched = matchVersion(version, statements, (cve) => judged.includes(cve));
          const key = versionClassOf(version, scale);
          const other = first.get(key);
          if (other === undefined) first.set(key, matched);
          else {
            alike += 1;
            expect(matched).toEqual(other);
          }
        }
      },
    ),
    { numRuns: 3_000, seed: 7 },
  );
  expect(alike).toBeGreaterThan(1_000);
});

it('a key of a statement divides the versions of a package: those at it belong to those above it', () => {
  const [statement] = statementsOf([
    {
      fix: { kind: 'fixed', version: '1-2', service: null, key: keyed('1-2') },
      builds: anyBuild,
      cves: ['CVE-2026-0001'],
      kind: 'vulnerability',
      externalId: 'CVE-2026-0001',
      severity: 'moderate',
      withdrawn: false,
      leads: false,
      override: null,
    },
  ]);
  if (statement === undefined) throw new Error('one was made');
  const scale = keyScaleOf([statement, statement]) ?? [];
  expect(scale).toHaveLength(1);
  const classOf = (version: string) =>
    versionClassOf(
      versionOf(releases[0] as Release, {
        version,
        architecture: 'amd64',
        module: '',
        line: '',
        follows: undefined,
      }),
      scale,
    );
  expect(classOf('1-1')).toBe(classOf('1-2~rc1'));
  expect(classOf('1-2')).toBe(classOf('2-1'));
  expect(classOf('1-1')).not.toBe(classOf('1-2'));
});

it('has no keys where a statement names a source: its fix depends on the version', () => {
  const [plain] = statementsOf([
    {
      fix: { kind: 'unfixed', reason: 'no_fix', detail: '' },
      builds: anyBuild,
      cves: [],
      kind: 'erratum',
      externalId: 'RLSA-1',
      severity: 'moderate',
      withdrawn: false,
      leads: false,
      override: null,
    },
  ]);
  if (plain === undefined) throw new Error('one was made');
  expect(keyScaleOf([plain])).toEqual([]);
  expect(keyScaleOf([plain, { ...plain, names: 'source' }])).toBeNull();
});
