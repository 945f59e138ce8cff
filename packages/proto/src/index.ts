export type { InstalledPackage, Snapshot, UpgradablePackage } from './generated/snapshot_pb.js';
export {
  InstalledPackageSchema,
  SnapshotSchema,
  TriState,
  UpgradablePackageSchema,
} from './generated/snapshot_pb.js';
