export type { FilesToImport, FileToRead } from './import/files-to-import.ts';
export type { ImportContext } from './import/import-context.ts';
export { type FinishedImport, importRecords } from './import/import-records.ts';
export type { FeedRecord } from './import/records/feed-record.ts';
export { ImportError, type ImportErrorCode } from './import/records/import-error.ts';
export { readRecords } from './import/records/read-records.ts';
export { unpackXz } from './import/records/unpack-xz.ts';
export { UnreadableFile } from './import/unreadable-file.ts';
export { applyRulesInBackground } from './match/apply-rules.ts';
export {
  createExposureWalkHandler,
  createJudgeHandler,
  createMatchHandlers,
  createRecountHandler,
  type MatchContext,
} from './match/job-handlers.ts';
export { readRejectedAgain } from './parse/read-rejected-again.ts';
export { createReportParser, type ParseJob, parseJobs } from './parse/report-parser.ts';
