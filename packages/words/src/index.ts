export {
  auditActionOptions,
  auditActionWords,
  auditActorWords,
  auditTargetWords,
  targetInWords,
} from './audit-words.ts';
export { cvePackageWords, cveReasonWords, cveStateOrder, cveStateWords } from './cve-words.ts';
export { assumptionWords, clockWords, dueVerdictWords, exposureWords, undatedWords } from './due-words.ts';
export { collectorWords, familyWords, proposedCollector, refreshWords } from './family-words.ts';
export { formatOptions, importWords } from './feed-words.ts';
export { causeWords, fixWords, openWords, severityOrder, severityWords } from './finding-words.ts';
export { gapOrder, gapWords } from './gap-words.ts';
export {
  actionOf,
  actionOrder,
  actionWords,
  coverageWords,
  dueAsOf,
  dueWords,
  modeSentences,
  modeWords,
  repositoryAsOf,
  repositoryWords,
  rhythmStateWords,
  statusOf,
  statusWords,
  updatesWords,
} from './host-words.ts';
export {
  channelKindWords,
  deliveryState,
  deliveryWords,
  eventWords,
} from './notification-words.ts';
export {
  brokenWords,
  noteWords,
  rebootReason,
  rebootSourceWords,
  verdictReason,
  verdictWords,
} from './package-words.ts';
export {
  blockWords,
  leftOutWords,
  notCoveredWords,
  planNoteWords,
  planStateWords,
  progressWords,
} from './plan-words.ts';
export { wordsOfRefusal } from './sign-in-words.ts';
export { pullErrorWords, pullStatusWords, uploadWords } from './upload-words.ts';
export { noAccess, roleOptions, roleWords, sessionMethodWords } from './user-words.ts';
export { type VexFormat, vexFormats, vexRejectionWords } from './vex-words.ts';
export { waiverEndWords, waiverKindOrder, waiverKindWords } from './waiver-words.ts';
export type { Label, Tone, Word } from './word.ts';
