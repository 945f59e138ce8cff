import type { Platform, Release, Snapshot } from '@plimsoll/model';
import { classifyVersion, storedFactsOf } from '../src/index.ts';
import { readFacts, readPlatform, readRepositoryFacts } from '../src/ingest/stored-facts.ts';
import { readVerdict } from '../src/knowledge/package-versions.ts';
import { packageIdentity } from './interned-host.ts';

/** A value as the database returns it. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const platform: Platform = {
  osFamily: 'rpm',
  osId: 'rocky',
  osVersionId: '9.4',
  osVersion: '9.4',
  osCodename: '',
  osPrettyName: 'Rocky Linux 9.4',
  architecture: 'x86_64',
  hostname: 'web',
  machineId: '',
  virtualization: '',
  ipAddresses: ['192.0.2.1'],
};

const snapshot: Snapshot = {
  schemaVersion: 1,
  collectedAt: new Date('2026-01-02T00:00:00Z'),
  collectorVersion: '1.0',
  platform,
  packages: [
    {
      ...packageIdentity('glibc'),
      vendor: 'Rocky Enterprise Software Foundation',
      held: false,
      installedAt: new Date('2026-01-01T00:00:00Z'),
      signingKey: '',
    },
  ],
  upgrades: [],
  kernel: {
    runningRelease: '5.14.0-427.el9.x86_64',
    runningVersion: '',
    runningPackage: '',
    installed: [{ package: 'kernel-core', version: '5.14.0-427.el9', release: '5.14.0', defaultBoot: 'yes' }],
    rebootRequired: 'unknown',
    rebootPackages: ['glibc'],
    livepatch: '',
    livepatchedCves: ['CVE-2024-0001'],
  },
  services: { restartRequired: 'yes', toRestart: [{ name: 'sshd.service', reason: 'libraries' }] },
  repositories: [{ id: 'baseos', url: 'https://example.org/', enabled: true, suite: '', origin: '' }],
  moduleStreams: [{ name: 'nodejs', stream: '20', enabled: true }],
  subscription: { kind: 'rhsm', attached: true, services: ['eus'] },
  failures: [{ section: 'updates', detail: 'timeout' }],
  observed: { bootId: '', bootedAt: null, refreshed: [] },
};
const facts = storedFactsOf(snapshot, new Date('2026-01-02T00:00:01Z'));

/** Fields that facts from older versions lack. */
const optional: ReadonlySet<string> = new Set([
  'module',
  'line',
  'coreInstalls',
  'firstInstallAt',
  'vendors',
]);

/** `value` with one field removed or changed to another type, for every field at every depth. */
function* broken(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    const rest = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
    if (!isList && !optional.has(key)) yield rest;
    for (const other of [7, ...broken(child)]) yield isList ? [other] : { ...rest, [key]: other };
  }
}

const refuses = (read: (value: unknown) => unknown, value: unknown): boolean => {
  try {
    read(value);
    return false;
  } catch {
    return true;
  }
};

describe('a stored verdict', () => {
  const debian = (name: string) => classifyVersion(packageIdentity(name), 'debian:12' as Release).verdict;
  const kernel = classifyVersion(
    { ...packageIdentity('linux-image-6.1.0-18-amd64'), version: '6.1.76-1', sourceName: 'linux' },
    'debian:12' as Release,
  ).verdict;
  const verdicts = [
    debian('bash'),
    kernel,
    debian('linux-headers-amd64'),
    classifyVersion(packageIdentity('bash'), 'other:1' as Release).verdict,
    { kind: 'excluded', reason: 'not_a_package' },
    { kind: 'excluded', reason: 'kernel_metapackage', flavour: 'amd64' },
  ];

  it.each(verdicts)('is read as it was written: %j', (verdict) => {
    expect(readVerdict(stored(verdict))).toEqual(verdict);
  });

  it('of the first version has no module and no line', () => {
    const { module: _module, line: _line, ...first } = { module: '', line: '', ...debian('bash') };
    expect(readVerdict(stored(first))).toEqual(debian('bash'));
  });

  it('is refused if any field is missing or has another type', () => {
    const wrong = verdicts.flatMap((verdict) => [...broken(stored(verdict))]);
    expect(wrong.length).toBeGreaterThan(20);
    expect(wrong.filter((other) => !refuses(readVerdict, other))).toEqual([]);
  });

  it.each([
    null,
    'unknown',
    [],
    {},
    { kind: 'affected' },
    { kind: 'unknown', reason: 'because', detail: '', kernel: null },
  ])('is not %j', (value) => {
    expect(() => readVerdict(value)).toThrow('A stored verdict cannot be read');
  });
});

describe('stored facts', () => {
  it('are read as they were written', () => {
    expect(readFacts(stored(facts))).toEqual(facts);
    expect(readRepositoryFacts(stored(facts))).toEqual(facts);
    expect(readPlatform(stored(platform))).toEqual(platform);
  });

  it('of older versions lack core packages, the first installation and vendors', () => {
    const { coreInstalls, firstInstallAt, vendors, ...older } = facts;
    expect([coreInstalls?.length, firstInstallAt, vendors?.length]).toEqual([
      1,
      '2026-01-01T00:00:00.000Z',
      1,
    ]);
    expect(readFacts(stored(older))).toEqual(older);
  });

  it('are refused if any field is missing or has another type', () => {
    const wrong = [...broken(stored(facts))];
    expect(wrong.length).toBeGreaterThan(60);
    expect(wrong.filter((other) => !refuses(readFacts, other))).toEqual([]);
  });
});
