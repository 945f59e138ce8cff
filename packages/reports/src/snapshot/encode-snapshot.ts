import { create, toBinary } from '@bufbuild/protobuf';
import type { Snapshot, TriState } from '@plimsoll/model';
import { SnapshotSchema, TriState as WireTriState } from '@plimsoll/proto';
import { timestampOf } from './field-reader.ts';

const wireTriStates = {
  yes: WireTriState.YES,
  no: WireTriState.NO,
  unknown: WireTriState.UNSPECIFIED,
} as const satisfies Record<TriState, WireTriState>;

/**
 * Encodes a snapshot so that `decodeSnapshot` returns the same. Accepts every result of `decodeSnapshot`.
 *
 * Deterministic. Fields outside the content hash come first, including `package_count`, then fields 4 to 12 and 16
 * in one piece: a message that is cut within its packages has already declared their number, which the order of field numbers
 * would not ensure.
 */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const volatile = encodeVolatile(snapshot);
  const state = encodeState(snapshot);
  const message = new Uint8Array(volatile.length + state.length);
  message.set(volatile);
  message.set(state, volatile.length);
  return message;
}

function encodeVolatile(snapshot: Snapshot): Uint8Array {
  const { observed } = snapshot;
  const message = create(SnapshotSchema, {
    schemaVersion: snapshot.schemaVersion,
    collectorVersion: snapshot.collectorVersion,
    packageCount: snapshot.packages.length,
    ...optionalTime('collectedAt', snapshot.collectedAt),
    observed: {
      bootId: observed.bootId,
      refreshed: observed.refreshed.map(({ repositoryId, at, publishedAt, validUntil, error }) => ({
        repositoryId,
        error,
        ...optionalTime('at', at),
        ...optionalTime('publishedAt', publishedAt),
        ...optionalTime('validUntil', validUntil),
      })),
      ...optionalTime('bootedAt', observed.bootedAt),
    },
  });
  return toBinary(SnapshotSchema, message);
}

function encodeState(snapshot: Snapshot): Uint8Array {
  const { kernel, services, subscription } = snapshot;
  const message = create(SnapshotSchema, {
    platform: { ...snapshot.platform, ipAddresses: [...snapshot.platform.ipAddresses] },
    packages: snapshot.packages.map(({ installedAt, ...rest }) => ({
      ...rest,
      ...optionalTime('installedAt', installedAt),
    })),
    upgradable: snapshot.upgrades.map((upgrade) => ({ ...upgrade, advisoryIds: [...upgrade.advisoryIds] })),
    kernel: {
      ...kernel,
      installed: kernel.installed.map((entry) => ({
        ...entry,
        defaultBoot: wireTriStates[entry.defaultBoot],
      })),
      rebootRequired: wireTriStates[kernel.rebootRequired],
      rebootPackages: [...kernel.rebootPackages],
      rebootAnswers: (kernel.rebootAnswers ?? []).map((one) => ({ ...one, due: wireTriStates[one.due] })),
      livepatchedCves: [...kernel.livepatchedCves],
    },
    services: {
      restartRequired: wireTriStates[services.restartRequired],
      toRestart: services.toRestart.map((service) => ({ ...service })),
      failedUnits: [...(services.failedUnits ?? [])],
      unitsKnown: services.failedUnits !== undefined,
    },
    repositories: snapshot.repositories.map((repository) => ({ ...repository })),
    moduleStreams: snapshot.moduleStreams.map((stream) => ({ ...stream })),
    ...(subscription === null
      ? {}
      : { subscription: { ...subscription, services: [...subscription.services] } }),
    failures: snapshot.failures.map((failure) => ({ ...failure })),
    broken: (snapshot.broken ?? []).map(({ otherVersion, ...rest }) => ({
      ...rest,
      otherVersion: otherVersion ?? '',
      otherKnown: otherVersion !== null,
    })),
  });
  return toBinary(SnapshotSchema, message);
}

/** A timestamp field; omitted without a time. */
function optionalTime<Name extends string>(
  name: Name,
  date: Date | null,
): { [Key in Name]?: { seconds: bigint; nanos: number } } {
  // A computed key widens to string; its only value is `name`.
  return (date === null ? {} : { [name]: timestampOf(date) }) as {
    [Key in Name]?: { seconds: bigint; nanos: number };
  };
}
