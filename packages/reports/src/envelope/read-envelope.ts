import { createHash } from 'node:crypto';
import { observedEnd } from '../report/observed-extent.ts';
import { snapshotLayout, WireCursor, wrongWireType } from '../wire/wire-format.ts';

/**
 * The top-level fields of an upload that show whether it is unchanged. The bytes are views of the upload where
 * possible: copy what must outlive it.
 */
export type Envelope =
  | {
      readonly kind: 'envelope';
      /** 32 bytes; equal for two uploads of the same patch state in the same encoding. */
      readonly contentHash: Uint8Array;
      /** Whether it has a text report (field 15, not empty). */
      readonly hasReport: boolean;
      /** Whether it has any of the fields 4 to 14 and 16, which a text report replaces. Having both is an error. */
      readonly hasStructured: boolean;
      /** Fields 1 to 3 as received, including tags: an encoded Snapshot, for `decodeHeader`. */
      readonly header: Uint8Array;
      /** The value of field 14, for `decodeObservation`: merged if repeated, empty if missing. */
      readonly observation: Uint8Array;
      /** The value of field 15: the last one if repeated, empty if missing. */
      readonly report: Uint8Array;
    }
  | { readonly kind: 'malformed'; readonly detail: string };

/**
 * Reads the top-level fields of an encoded snapshot without decoding them. Accepts any bytes; linear time, memory for
 * at most one copy. Bytes that are malformed here are also `invalid_protobuf` to `decodeSnapshot`, which checks more.
 *
 * The content hash is defined in snapshot.proto: fields 4 to 12 and 16 as received, tag and value. Unknown fields (above 16)
 * are skipped and never hashed: the rule names the hashed fields, and a volatile field of a newer agent would
 * otherwise make every upload look changed to an older server that cannot use the field.
 */
export function readEnvelope(bytes: Uint8Array): Envelope {
  const cursor = new WireCursor(bytes);
  const parts = new EnvelopeParts(bytes);
  while (cursor.position < bytes.length) {
    if (!cursor.readField(bytes.length)) return { kind: 'malformed', detail: `Snapshot: ${cursor.fault}` };
    const field = snapshotLayout.fields[cursor.fieldNumber];
    if (field === undefined) continue;
    if (cursor.wireType !== field.wireType) {
      return { kind: 'malformed', detail: wrongWireType(snapshotLayout, field, cursor) };
    }
    parts.take(cursor);
  }
  const cut = packageCountFault(parts.declaredPackages, parts.packages);
  return cut === null ? parts.envelope() : { kind: 'malformed', detail: cut };
}

/** Collects the top-level fields by purpose. */
class EnvelopeParts {
  packages = 0;
  declaredPackages = 0;
  private readonly header: SliceGatherer;
  private readonly state: SliceGatherer;
  private readonly observation: SliceGatherer;
  private report: Uint8Array;
  private structured = false;

  constructor(bytes: Uint8Array) {
    this.header = new SliceGatherer(bytes);
    this.state = new SliceGatherer(bytes);
    this.observation = new SliceGatherer(bytes);
    this.report = bytes.subarray(0, 0);
  }

  take(field: WireCursor): void {
    const { fieldNumber } = field;
    if (fieldNumber <= 3) {
      this.header.add(field.fieldStart, field.position);
    } else if (fieldNumber <= 12 || fieldNumber === 16) {
      this.structured = true;
      if (fieldNumber === 5) this.packages++;
      this.state.add(field.fieldStart, field.position);
    } else if (fieldNumber === 13) {
      this.declaredPackages = field.varint;
    } else if (fieldNumber === 14) {
      this.structured = true;
      this.observation.add(field.valueStart, field.position);
    } else if (fieldNumber === 15) {
      this.report = field.bytes.subarray(field.valueStart, field.position);
    }
  }

  envelope(): Envelope {
    const hasReport = this.report.length > 0;
    const hasStructured = this.structured || this.declaredPackages > 0;
    const contentHash =
      hasReport && !hasStructured
        ? reportContentHash(this.report)
        : structuredContentHash(this.state.bytes());
    return {
      kind: 'envelope',
      contentHash,
      hasReport,
      hasStructured,
      header: this.header.bytes(),
      observation: this.observation.bytes(),
      report: this.report,
    };
  }
}

/**
 * Joins slices of one byte array, given in ascending order without overlap. Adjacent slices are not copied; others are
 * copied once, at most the length of the source.
 */
class SliceGatherer {
  private readonly source: Uint8Array;
  private pendingStart = 0;
  private pendingEnd = 0;
  private joined: Uint8Array | null = null;
  private joinedLength = 0;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  /** Appends the bytes from `start` to before `end`. */
  add(start: number, end: number): void {
    if (start === end) return;
    if (start !== this.pendingEnd || this.pendingEnd === this.pendingStart) {
      if (this.pendingEnd > this.pendingStart) this.copyPending();
      this.pendingStart = start;
    }
    this.pendingEnd = end;
  }

  /** The slices added so far, in order; a view of the source if nothing was copied. */
  bytes(): Uint8Array {
    if (this.joined === null) return this.source.subarray(this.pendingStart, this.pendingEnd);
    this.copyPending();
    return this.joined.subarray(0, this.joinedLength);
  }

  private copyPending(): void {
    this.joined ??= new Uint8Array(this.source.length);
    this.joined.set(this.source.subarray(this.pendingStart, this.pendingEnd), this.joinedLength);
    this.joinedLength += this.pendingEnd - this.pendingStart;
    this.pendingStart = this.pendingEnd;
  }
}

/** SHA-256 over the encoded top-level fields 4 to 12 and 16 of a structured snapshot, in the order received. */
function structuredContentHash(stateFields: Uint8Array): Uint8Array {
  return sha256(stateFields);
}

/**
 * SHA-256 over every byte of a text report after its `observed` section, however it was received. Over the whole
 * report if it does not begin with that section: a wrong "changed" is safe, a wrong "unchanged" is not. Finds the
 * section without reading the rest.
 */
export function reportContentHash(report: Uint8Array): Uint8Array {
  return sha256(report.subarray(observedEnd(report) ?? 0));
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/**
 * Describes the fault of a snapshot whose declared number of packages differs from its content; null if there is none.
 * An absent declaration is 0 on the wire and never a fault.
 */
export function packageCountFault(declared: number, held: number): string | null {
  if (declared === 0 || declared === held) return null;
  return `the message was cut: package_count is ${declared}, but it contains ${held} packages`;
}
