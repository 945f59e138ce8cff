export {
  backdateAllChanges,
  backdateCoverage,
  backdateImport,
  countAdvisories,
  databaseTime,
  newestChangeId,
} from './backdate-change.ts';
export { backdateUpload } from './backdate-upload.ts';
export { cloneHosts, type StoredPayload } from './clone-hosts.ts';
