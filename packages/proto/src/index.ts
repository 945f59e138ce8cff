export type { Snapshot } from './generated/snapshot_pb.js';
export { SnapshotSchema, TriState } from './generated/snapshot_pb.js';
