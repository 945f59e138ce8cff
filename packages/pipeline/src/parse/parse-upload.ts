import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import {
  distributionOf,
  labelFromEnabledStreams,
  lacksStream,
  runningKernelSubject,
  settleOffers,
} from '@plimsoll/advisories';
import {
  type AdmitNew,
  type InternedRelease,
  type Interning,
  type ParsedUpload,
  type ReceivedUpload,
  releaseFactsOf,
  storedFactsOf,
} from '@plimsoll/db';
import {
  type FieldError,
  maxUploadBytes,
  type PackageVersionId,
  type PackageVersionIdentity,
  type Snapshot,
  uploadCompressionLevel,
} from '@plimsoll/model';
import { decodeSnapshot, encodeSnapshot, KnownPackages, parseReport, readEnvelope } from '@plimsoll/reports';

const gunzip = promisify(zlib.gunzip);
const gzip = promisify(zlib.gzip);

const known = new KnownPackages();

/** The result of parsing an upload. */
export type ParsedPayload =
  | {
      readonly kind: 'parsed';
      readonly snapshot: Snapshot;
      /** Corrections that were made to it. */
      readonly notes: readonly FieldError[];
      /** gzip of the raw protobuf as received, or of the protobuf made from a text report. */
      readonly payloadGzip: Uint8Array;
      readonly payloadSha256: Uint8Array;
      readonly payloadSize: number;
    }
  | { readonly kind: 'rejected'; readonly code: string; readonly errors: readonly FieldError[] };

/** Parses the bytes of an upload. Returns `rejected` for bytes that are not a valid report. */
export async function parseUpload(upload: ReceivedUpload): Promise<ParsedPayload> {
  const bytes = await decompress(upload.body);
  if (bytes === null) return rejected('internal', 'The stored body is damaged.');
  switch (upload.payloadKind) {
    case 'protobuf':
      return parseStructured(bytes, upload);
    case 'report':
      return upload.door === 'agent' ? parseWrapped(bytes, upload) : parseText(bytes, upload);
    default:
      return upload.payloadKind satisfies never;
  }
}

function parseStructured(payload: Uint8Array, { body, receivedAt }: ReceivedUpload): ParsedPayload {
  const decoded = decodeSnapshot(payload, { receivedAt, known });
  switch (decoded.kind) {
    case 'invalid_protobuf':
      return rejected('invalid_protobuf', decoded.detail);
    case 'snapshot_invalid':
      return { kind: 'rejected', code: 'snapshot_invalid', errors: decoded.errors };
    case 'snapshot':
      return {
        kind: 'parsed',
        snapshot: decoded.snapshot,
        notes: decoded.warnings,
        payloadGzip: body,
        ...measured(payload),
      };
    default:
      return decoded satisfies never;
  }
}

/** Agents send text reports inside a protobuf message. */
async function parseWrapped(message: Uint8Array, upload: ReceivedUpload): Promise<ParsedPayload> {
  const envelope = readEnvelope(message);
  if (envelope.kind === 'malformed') return rejected('invalid_protobuf', envelope.detail);
  return parseText(envelope.report, upload);
}

async function parseText(report: Uint8Array, { receivedAt }: ReceivedUpload): Promise<ParsedPayload> {
  const parsed = parseReport(report, { receivedAt });
  switch (parsed.kind) {
    case 'report_invalid':
      return { kind: 'rejected', code: 'report_invalid', errors: parsed.errors };
    case 'snapshot': {
      const payload = encodeSnapshot(parsed.snapshot);
      const payloadGzip = await gzip(payload, { level: uploadCompressionLevel });
      const { snapshot, warnings: notes } = parsed;
      return { kind: 'parsed', snapshot, notes, payloadGzip, ...measured(payload) };
    }
    default:
      return parsed satisfies never;
  }
}

function measured(payload: Uint8Array): { payloadSha256: Uint8Array; payloadSize: number } {
  return { payloadSha256: createHash('sha256').update(payload).digest(), payloadSize: payload.length };
}

function rejected(code: string, detail: string): ParsedPayload {
  return { kind: 'rejected', code, errors: [{ pointer: '', detail }] };
}

async function decompress(body: Uint8Array): Promise<Buffer | null> {
  try {
    return await gunzip(body, { maxOutputLength: maxUploadBytes });
  } catch {
    return null;
  }
}

/** An interned snapshot: everything that is stored about it besides its bytes. */
type InternedSnapshot = Omit<ParsedUpload, 'id' | 'payloadGzip' | 'payloadSha256' | 'payloadSize'>;

/** Interns a snapshot's release, packages, updates, package set and running kernel. Rejects as `admit` does. */
export async function internSnapshot(
  interner: Interning,
  snapshot: Snapshot,
  receivedAt: Date,
  admit: AdmitNew,
): Promise<InternedSnapshot> {
  const release = await interner.release(releaseFactsOf(snapshot.platform));
  const kernel = runningKernelSubject(snapshot);
  const missingKernel = kernel.kind === 'not_installed' ? [kernel.subject] : [];
  const packages = await packagesWithStreams(interner, release, snapshot);
  const line = await followedReleaseLineOf(interner, release, snapshot);
  const identities: readonly PackageVersionIdentity[] = [...packages, ...missingKernel];
  const versions = line === null ? identities : identities.map((identity) => ({ ...identity, suite: line }));
  const ids = await interner.packageVersions(release, versions, admit);
  const offers = settleOffers(snapshot.upgrades, snapshot.packages, release.name);
  const installedIds = ids.slice(0, snapshot.packages.length);
  return {
    collectedAt: snapshot.collectedAt,
    schemaVersion: snapshot.schemaVersion,
    collectorVersion: snapshot.collectorVersion,
    releaseId: release.id,
    setId: await interner.packageSet(installedIds),
    facts: storedFactsOf(snapshot, receivedAt),
    upgradeIds: await interner.upgrades(release, offers.upgrades, admit),
    heldIds: heldIds(snapshot, installedIds),
    notes: offers.notes,
    runningKernelId: missingKernel.length === 0 ? null : (ids.at(-1) ?? null),
  };
}

function heldIds(snapshot: Snapshot, ids: readonly PackageVersionId[]): PackageVersionId[] {
  return ids.filter((_, index) => snapshot.packages[index]?.held === true);
}

/**
 * A snapshot's packages. Adds the module stream to packages that were built in a module but do not name it, if
 * advisories name the module and the host has enabled one stream of it.
 */
export async function packagesWithStreams(
  interner: Pick<Interning, 'modulesOf'>,
  release: InternedRelease,
  { packages, moduleStreams }: Pick<Snapshot, 'packages' | 'moduleStreams'>,
): Promise<Snapshot['packages']> {
  const lacking = moduleStreams.length === 0 ? [] : packages.filter(lacksStream);
  if (lacking.length === 0) return packages;
  const modules = await interner.modulesOf(release, [...new Set(lacking.map(({ name }) => name))]);
  return packages.map((entry) => {
    const known = lacksStream(entry) ? (modules.get(entry.name) ?? []) : [];
    const label = labelFromEnabledStreams(known, moduleStreams);
    return label === null ? entry : { ...entry, module: label };
  });
}

/** The release line that a snapshot's repositories follow, as `suite` of its package versions; null if unknown. */
export async function followedReleaseLineOf(
  interner: Interning,
  release: InternedRelease,
  snapshot: Snapshot,
): Promise<string | null> {
  const distribution = distributionOf(release.name);
  if (distribution?.followedReleaseLine === undefined) return null;
  const enabled = snapshot.repositories.filter((repository) => repository.enabled).map(({ id }) => id);
  const products = await interner.productsOf([...new Set(enabled)]);
  const line = distribution.followedReleaseLine(snapshot, (id) => products.get(id) ?? []);
  return line === '' ? null : line;
}
