import { wrongWireType } from '../wire/check-message.ts';
import { snapshotLayout } from '../wire/message-layout.ts';
import { WireCursor } from '../wire/wire-cursor.ts';
import { reportContentHash, structuredContentHash } from './content-hash.ts';
import { packageCountFault } from './package-count.ts';
import { SliceGatherer } from './slice-gatherer.ts';

/**
 * What an upload says on its outermost level, enough to recognise an unchanged one. All bytes are views of the
 * upload's where possible: copy what must outlive it.
 */
export type Envelope =
  | {
      readonly kind: 'envelope';
      /** 32 bytes; equal for two uploads of the same patch state in the same encoding. */
      readonly contentHash: Uint8Array;
      /** Whether a text report came (field 15, not empty). */
      readonly hasReport: boolean;
      /** Whether any of the fields 4 to 14 came, which a text report replaces. Both is an error. */
      readonly hasStructured: boolean;
      /** Fields 1 to 3 as received, tags included: itself an encoded Snapshot, for `decodeHeader`. */
      readonly header: Uint8Array;
      /** The value of field 14, for `decodeObservation`: merged where it is repeated, empty where it is missing. */
      readonly observation: Uint8Array;
      /** The value of field 15: the last one where it is repeated, empty where it is missing. */
      readonly report: Uint8Array;
    }
  | { readonly kind: 'malformed'; readonly detail: string };

/**
 * Walks the top-level fields of an encoded snapshot without decoding them. Takes any bytes; linear in their number,
 * with memory for one copy of them at most. What is malformed here is `invalid_protobuf` to `decodeSnapshot`, too,
 * which looks deeper.
 *
 * The content hash is snapshot.proto's: fields 4 to 12 as received, tag and value. Fields this version does not know
 * (above 15) are stepped over and never count: the rule names the fields that do, and if a newer agent's field held
 * something that moves, counting it would make every upload of a fleet of newer agents a changed one to an older
 * server, which could not use it anyway.
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

/** Sorts the top-level fields by what they are for. */
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
    } else if (fieldNumber <= 12) {
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
