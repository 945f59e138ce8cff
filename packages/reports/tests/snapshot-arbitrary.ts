import { brokenStates, type Snapshot } from '@plimsoll/model';
import fc from 'fast-check';

const text = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((value) => value.replace(/\p{Cc}/gu, ' ').trim());
const someText = text.filter((value) => value !== '');
const optionalName = text.map((value) => value.replace(/\s/g, '-'));
const name = optionalName.filter((value) => value !== '' && value !== 'gpg-pubkey');
const optionalVersion = fc.oneof(text, fc.stringMatching(/^[0-9]{1,3}[0-9a-z.+~:-]{0,20}$/));
const version = optionalVersion.filter((value) => value !== '');
const time = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('2026-11-20T12:00:00Z'),
  noInvalidDate: true,
});
const maybeTime = fc.option(time);
const triState = fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const);

/** Items in the order of their keys, one of each. Keys hold no control characters, so U+0000 sorts before all of them. */
function canonical<T>(
  item: fc.Arbitrary<T>,
  key: (item: T) => readonly string[],
): fc.Arbitrary<readonly T[]> {
  return fc.array(item, { maxLength: 12 }).map((items) => {
    const byKey = new Map(items.map((entry) => [key(entry).join('\0'), entry]));
    return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  });
}

const textSet = canonical(someText, (value) => [value]);

const installedPackage = fc.record({
  name,
  architecture: optionalName,
  version,
  sourceName: name,
  sourceVersion: version,
  vendor: text,
  module: optionalVersion,
  held: fc.boolean(),
  installedAt: maybeTime,
  signingKey: text,
  suite: text,
  label: someText,
});

const upgrade = fc.record({
  name,
  architecture: optionalName,
  installedVersion: optionalVersion,
  candidateVersion: version,
  repository: text,
  isSecurity: fc.boolean(),
  held: fc.boolean(),
  phased: fc.boolean(),
  sourceName: name,
  sourceVersion: version,
  suite: text,
  origin: text,
  label: someText,
  advisoryIds: textSet,
});

const platform = fc
  .record({
    osFamily: fc.constantFrom('apt' as const, 'rpm' as const),
    osId: fc.stringMatching(/^[a-z0-9._-]{1,12}$/),
    osVersionId: optionalVersion,
    osVersion: text,
    osCodename: text,
    osPrettyName: text,
    architecture: text,
    hostname: text,
    machineId: text,
    virtualization: text,
    ipAddresses: fc.uniqueArray(someText, { maxLength: 4 }),
    supportEnd: fc.constant('2026-05-13'),
    imageVersion: someText,
  })
  .map((facts) => ({ ...facts, osVersion: facts.osVersion || facts.osVersionId }));

const installedKernel = fc.record({ package: name, version: text, release: text, defaultBoot: triState });

/** Every kind of snapshot that `decodeSnapshot` can return for an upload received on 2026-11-20. */
export const snapshotArbitrary: fc.Arbitrary<Snapshot> = fc.record({
  schemaVersion: fc.integer({ min: 1, max: 2_147_483_647 }),
  collectedAt: maybeTime,
  collectorVersion: text,
  platform,
  packages: canonical(installedPackage, (entry) => [entry.name, entry.architecture, entry.version]).filter(
    (packages) => packages.length > 0,
  ),
  upgrades: canonical(upgrade, (entry) => [
    entry.name,
    entry.architecture,
    entry.candidateVersion,
    entry.installedVersion,
  ]),
  kernel: fc.record({
    runningRelease: text,
    runningVersion: text,
    runningPackage: text,
    installed: canonical(installedKernel, (entry) => [
      entry.package,
      entry.version,
      entry.release,
      entry.defaultBoot,
    ]),
    rebootRequired: triState,
    rebootPackages: textSet,
    pinnedRelease: someText,
    livepatch: text,
    livepatchedCves: textSet,
    rebootAnswers: fc.constant([{ source: 'flag', due: 'yes', detail: 'libc6' } as const]),
  }),
  services: fc.record({
    restartRequired: triState,
    toRestart: canonical(fc.record({ name: someText, reason: text }), (entry) => [entry.name, entry.reason]),
    failedUnits: textSet,
  }),
  repositories: canonical(
    fc.record({ id: someText, url: text, enabled: fc.boolean(), suite: text, origin: text }),
    (entry) => [entry.id, entry.url, entry.suite, entry.origin, String(entry.enabled)],
  ),
  moduleStreams: canonical(fc.record({ name: someText, stream: text, enabled: fc.boolean() }), (entry) => [
    entry.name,
    entry.stream,
    String(entry.enabled),
  ]),
  subscription: fc.option(fc.record({ kind: text, attached: fc.boolean(), services: textSet })),
  failures: canonical(fc.record({ section: text, detail: text }), (entry) => [entry.section, entry.detail]),
  broken: canonical(
    fc.record({
      name,
      architecture: fc.constant('amd64'),
      version: optionalVersion,
      state: fc.constantFrom(...brokenStates),
      otherVersion: fc.option(optionalVersion),
    }),
    (entry) => [entry.name, entry.version],
  ).filter(({ length }) => length > 0),
  observed: fc.record({
    bootId: text,
    bootedAt: maybeTime,
    refreshed: canonical(
      fc.record({
        repositoryId: someText,
        at: time,
        publishedAt: maybeTime,
        validUntil: maybeTime,
        error: text,
      }),
      (entry) => [entry.repositoryId],
    ),
  }),
});
