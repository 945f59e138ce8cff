export type { Envelope } from './envelope/read-envelope.ts';
export { readEnvelope } from './envelope/read-envelope.ts';
export {
  listLimits,
  maxClockAheadMs,
  maxProblems,
  maxSchemaVersion,
  textLimits,
} from './limits.ts';
export type { DecodedHeader, SnapshotHeader } from './snapshot/decode-header.ts';
export { decodeHeader } from './snapshot/decode-header.ts';
export { decodeObservation } from './snapshot/decode-observation.ts';
export type { DecodedSnapshot } from './snapshot/decode-snapshot.ts';
export { decodeSnapshot } from './snapshot/decode-snapshot.ts';
export { encodeSnapshot } from './snapshot/encode-snapshot.ts';
export { osFamilyOf } from './snapshot/os-family.ts';
