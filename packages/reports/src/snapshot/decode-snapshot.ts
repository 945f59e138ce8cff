import { fromBinary } from '@bufbuild/protobuf';
import { type FieldError, isOfWrongClock, type Observation, type Snapshot } from '@plimsoll/model';
import {
  InstalledPackageSchema,
  SnapshotSchema,
  UpgradablePackageSchema,
  type Snapshot as WireSnapshot,
} from '@plimsoll/proto';
import { packageCountFault } from '../envelope/read-envelope.ts';
import { listLimits, maxSchemaVersion } from '../limits.ts';
import { checkMessage, findInvalidText, snapshotLayout, type WireCursor } from '../wire/wire-format.ts';
import { decodeBroken, decodePackages, decodeUpgrades } from './decode-packages.ts';
import {
  decodeFailures,
  decodeModuleStreams,
  decodeRepositories,
  decodeSubscription,
  readObservation,
} from './decode-repositories.ts';
import { decodeKernel, decodePlatform, decodeServices } from './decode-system.ts';
import { dateOf, FieldReader, Problems } from './field-reader.ts';
import { decodeEntry, type KnownPackages } from './known-entries.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/** A snapshot with its warnings, or the refusal; its kinds are the HTTP contract's codes. */
export type DecodedSnapshot =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly warnings: readonly FieldError[] }
  | { readonly kind: 'invalid_protobuf'; readonly detail: string }
  | { readonly kind: 'snapshot_invalid'; readonly errors: readonly FieldError[] };

/**
 * Decodes and validates an encoded structured snapshot. Accepts any bytes and never throws.
 *
 * `invalid_protobuf`: not a message of the format, or its number of packages differs from the declared one.
 * `snapshot_invalid`: no package, no os, a text report (alone or with the fields it replaces), a collection time over
 * 24 hours after `receivedAt`, names or versions that are not exact, lists over their limits. Lists every error, at
 * most `maxProblems`, with pointers in the .proto's names and the sender's positions. Other faults are corrected and
 * listed as warnings.
 *
 * Lists are sorted and distinct, so equal hosts give equal snapshots. With `known`, packages of several snapshots can be
 * the same objects.
 */
export function decodeSnapshot(
  bytes: Uint8Array,
  { receivedAt, known }: { readonly receivedAt: Date; readonly known?: KnownPackages },
): DecodedSnapshot {
  const parsed = parseSnapshot(bytes, known);
  if (parsed.kind === 'malformed') return { kind: 'invalid_protobuf', detail: parsed.detail };
  if (parsed.kind === 'overfull') return { kind: 'snapshot_invalid', errors: parsed.errors };
  const { message } = parsed;
  const cut = packageCountFault(message.packageCount, message.packages.length);
  if (cut !== null) return { kind: 'invalid_protobuf', detail: cut };
  if (message.report.length > 0) {
    return { kind: 'snapshot_invalid', errors: [{ pointer: '/report', detail: reportFault(message) }] };
  }
  const problems = new Problems();
  const snapshot = readSnapshot(message, receivedAt, problems, known);
  return problems.errors.length > 0
    ? { kind: 'snapshot_invalid', errors: problems.errors }
    : { kind: 'snapshot', snapshot, warnings: problems.warnings };
}

function reportFault(message: SnapshotFields): string {
  return message.packages.length > 0 || message.platform !== undefined
    ? 'came together with the structured fields it replaces'
    : 'text reports are not accepted; send the structured fields';
}

/**
 * Builds a snapshot from a host's fields, from either upload form. Records violations in `problems`, with the names of
 * snapshot.proto and the positions in `message`. The result is not usable if errors were recorded.
 */
export function readSnapshot(
  message: SnapshotFields,
  receivedAt: Date,
  problems: Problems,
  known?: KnownPackages,
): Snapshot {
  const reader = new FieldReader(problems);
  const header = readHeader(message, receivedAt, reader);
  const platform = decodePlatform(message.platform, reader);
  const packages = decodePackages(message.packages, platform.osFamily, reader, known);
  const areUnread = message.failures.some(({ section }) => section === 'packages');
  if (packages.length === 0 && !areUnread) problems.error('/packages', 'contains no package');
  const broken = decodeBroken(message.broken, reader);
  return {
    ...header,
    platform,
    packages,
    upgrades: decodeUpgrades(message.upgradable, reader, known),
    kernel: decodeKernel(message.kernel, reader),
    services: decodeServices(message.services, reader),
    repositories: decodeRepositories(message.repositories, reader),
    moduleStreams: decodeModuleStreams(message.moduleStreams, reader),
    subscription: decodeSubscription(message.subscription, reader),
    failures: decodeFailures(message.failures, reader),
    observed: readObservation(message.observed, reader),
    ...(broken.length === 0 ? {} : { broken }),
  };
}

/** A snapshot's data about itself. */
export type SnapshotHeader = Pick<Snapshot, 'schemaVersion' | 'collectedAt' | 'collectorVersion'>;

/** A header, or the error; `code` is the HTTP contract's. */
export type DecodedHeader =
  | { readonly kind: 'header'; readonly header: SnapshotHeader }
  | { readonly kind: 'invalid_protobuf'; readonly detail: string }
  | { readonly kind: 'snapshot_invalid'; readonly errors: readonly FieldError[] };

/**
 * Decodes an envelope's `header`, for an upload that is otherwise unchanged: a clock that is a day ahead is an error
 * even then. Follows the rules of `decodeSnapshot`.
 */
export function decodeHeader(bytes: Uint8Array, context: { readonly receivedAt: Date }): DecodedHeader {
  const parsed = parseSnapshot(bytes);
  if (parsed.kind === 'malformed') return { kind: 'invalid_protobuf', detail: parsed.detail };
  if (parsed.kind === 'overfull') return { kind: 'snapshot_invalid', errors: parsed.errors };
  const problems = new Problems();
  const header = readHeader(parsed.message, context.receivedAt, new FieldReader(problems));
  return problems.errors.length > 0
    ? { kind: 'snapshot_invalid', errors: problems.errors }
    : { kind: 'header', header };
}

/** Reads fields 1 to 3. Accepts a higher schema version, because the format only grows, and skips unknown content. */
export function readHeader(
  message: Pick<SnapshotFields, 'schemaVersion' | 'collectedAt' | 'collectorVersion'>,
  receivedAt: Date,
  reader: FieldReader,
): SnapshotHeader {
  reader.at('');
  if (message.schemaVersion > maxSchemaVersion) reader.error('schema_version', `is over ${maxSchemaVersion}`);
  return {
    schemaVersion: message.schemaVersion === 0 ? 1 : message.schemaVersion,
    collectedAt: readCollectedAt(message.collectedAt, receivedAt, reader),
    collectorVersion: reader.text('collector_version', message.collectorVersion),
  };
}

function readCollectedAt(
  wire: SnapshotFields['collectedAt'],
  receivedAt: Date,
  reader: FieldReader,
): Date | null {
  if (wire === undefined) return null;
  const collectedAt = dateOf(wire);
  if (collectedAt === null) {
    reader.error('collected_at', 'is no time between the years 1 and 9999');
  } else if (isOfWrongClock(collectedAt.getTime(), receivedAt.getTime())) {
    reader.error('collected_at', "is more than 24 hours ahead of the server's clock");
  }
  return collectedAt;
}

/**
 * Decodes the value of field 14, for an upload that is otherwise unchanged. Empty bytes are an empty observation; null
 * means malformed (400 `invalid_protobuf`).
 */
export function decodeObservation(bytes: Uint8Array): Observation | null {
  const parsed = parseSnapshot(asSnapshot(bytes));
  if (parsed.kind !== 'parsed') return null;
  return readObservation(parsed.message.observed, new FieldReader(new Problems()));
}

/** Wraps the value of field 14 in an otherwise empty snapshot. */
function asSnapshot(observation: Uint8Array): Uint8Array {
  const prefix = [(14 << 3) | 2];
  let length = observation.length;
  for (; length > 0x7f; length >>>= 7) prefix.push((length & 0x7f) | 0x80);
  prefix.push(length);
  const message = new Uint8Array(prefix.length + observation.length);
  message.set(prefix);
  message.set(observation, prefix.length);
  return message;
}

/**
 * Bytes as the generated message. Without a message if lists exceed their limits, because the limits exist to prevent
 * decoding them.
 */
type ParsedSnapshot =
  | { readonly kind: 'parsed'; readonly message: WireSnapshot }
  | { readonly kind: 'overfull'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'malformed'; readonly detail: string };

/**
 * Parses bytes as an encoded snapshot, strictly: wrong nesting, wrong wire types, groups and invalid UTF-8 are
 * malformed.
 */
function parseSnapshot(bytes: Uint8Array, known?: KnownPackages): ParsedSnapshot {
  const lists = new ListGatherer(bytes, known);
  const checked = checkMessage(bytes, snapshotLayout, (field) => lists.take(field));
  if (checked.kind === 'malformed') return checked;
  const errors = overfullLists(checked.counts);
  if (errors.length > 0) return { kind: 'overfull', errors };
  try {
    return { kind: 'parsed', message: lists.decode() };
  } catch (error) {
    const invalidText = findInvalidText(bytes, snapshotLayout);
    // After the check above the decoder has no other error.
    if (invalidText === null) throw error;
    return { kind: 'malformed', detail: `${invalidText} is not UTF-8` };
  }
}

type WirePackage = WireSnapshot['packages'][number];
type WireUpgrade = WireSnapshot['upgradable'][number];

/** Gathers the entries of a message's long lists, to decode them one by one. */
class ListGatherer {
  private readonly bytes: Buffer;
  private readonly known: KnownPackages | undefined;
  /** Decoded if known, else as bytes. */
  private readonly packages: (WirePackage | Uint8Array)[] = [];
  private readonly upgrades: Uint8Array[] = [];
  private readonly others: Uint8Array[] = [];
  private othersStart = 0;

  constructor(bytes: Uint8Array, known: KnownPackages | undefined) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.known = known;
  }

  /** Takes a field of the message; true if it is known to be well-formed. */
  take(field: WireCursor): boolean {
    const { fieldNumber } = field;
    if (fieldNumber !== packagesField && fieldNumber !== upgradableField) return false;
    if (this.othersStart < field.fieldStart)
      this.others.push(this.bytes.subarray(this.othersStart, field.fieldStart));
    this.othersStart = field.position;
    const { valueStart, position } = field;
    if (fieldNumber === upgradableField) {
      this.upgrades.push(this.bytes.subarray(valueStart, position));
      return false;
    }
    const found = this.known?.packages.find(this.bytes, valueStart, position);
    this.packages.push(found ?? this.bytes.subarray(valueStart, position));
    return found !== undefined;
  }

  /** The message, which must be well-formed. Throws for text that is not UTF-8. */
  decode(): WireSnapshot {
    const others = Buffer.concat([...this.others, this.bytes.subarray(this.othersStart)]);
    const message = fromBinary(SnapshotSchema, others, { readUnknownFields: false });
    const { packages: knownPackages, upgrades: knownUpgrades } = this.known ?? {};
    const packages = this.packages.map((entry) =>
      entry instanceof Uint8Array
        ? (knownPackages?.entryOf(entry) ?? decodeEntry(InstalledPackageSchema, entry))
        : entry,
    );
    const upgradable = this.upgrades.map(
      (entry): WireUpgrade => knownUpgrades?.entryOf(entry) ?? decodeEntry(UpgradablePackageSchema, entry),
    );
    return Object.assign(message, { packages, upgradable });
  }
}

const {
  packages: { number: packagesField },
  upgradable: { number: upgradableField },
} = SnapshotSchema.field;

/** One error for each repeated field with more entries than `listLimits` allows; `counts` is by field path. */
export function overfullLists(counts: ReadonlyMap<string, number>): readonly FieldError[] {
  return Object.entries(listLimits).flatMap(([pointer, limit]) => {
    const count = counts.get(pointer) ?? 0;
    return count > limit ? [{ pointer, detail: `has ${count} entries; at most ${limit} are accepted` }] : [];
  });
}
