export type { Envelope } from './envelope/read-envelope.ts';
export { readEnvelope, reportContentHash } from './envelope/read-envelope.ts';
export { listLimits, reportLimits } from './limits.ts';
export type { ParsedReport } from './report/parse-report.ts';
export { parseReport } from './report/parse-report.ts';
export { readReportObservation } from './report/read-report-observation.ts';
export {
  type DecodedSnapshot,
  decodeHeader,
  decodeObservation,
  decodeSnapshot,
  type SnapshotHeader,
} from './snapshot/decode-snapshot.ts';
export { encodeSnapshot } from './snapshot/encode-snapshot.ts';
export { KnownPackages } from './snapshot/known-entries.ts';
export { osFamilyOf } from './snapshot/os-family.ts';
