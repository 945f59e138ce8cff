import {
  approvalStatuses,
  coverages,
  dueStates,
  hostExposures,
  hostStatuses,
  onboardingModes,
  overallActions,
  patchRhythmStates,
  repositoriesStates,
  updatesStates,
} from '@plimsoll/model';

/** Columns of whole numbers. */
export const numberColumns = [
  'osMajor',
  'critical',
  'important',
  'moderate',
  'low',
  'unrated',
  'unfixed',
  'knownExploited',
  'waived',
  'unknown',
  'availableUpdates',
  'servicesDue',
  'disagreements',
  'overdue',
  'grounds',
  'releaseId',
  'setId',
  'tagSetId',
  'kernelId',
  'findingListId',
  'staleAfterSeconds',
  'gaps',
] as const;

/** Columns of times. */
export const timeColumns = [
  'createdAt',
  'retiredAt',
  'lastSeenAt',
  'confirmedAt',
  'collectedAt',
  'snapshotCollectedAt',
  'reportedAt',
  'firstSnapshotAt',
  'listsAt',
  'validUntil',
  'supportEndsAt',
  'dueAt',
  'judgedUntil',
  'rhythmOverdueAt',
] as const;

/** Columns of words of a closed list, stored as positions in it. */
export const wordLists = {
  approvalStatus: approvalStatuses,
  onboardingMode: onboardingModes,
  osFamily: [],
  rebootState: dueStates,
  restartState: dueStates,
  judgedRepositoriesState: repositoriesStates,
  repositoriesState: repositoriesStates,
  updatesState: updatesStates,
  status: hostStatuses,
  coverage: coverages,
  overallAction: overallActions,
  exposure: hostExposures,
  patchRhythm: patchRhythmStates,
} as const;

/** Columns of 0 and 1. */
export const flagColumns = [
  'isPresent',
  'updatesKnown',
  'hasReport',
  'isManual',
  'failedPulls',
  'runsUnknownKernel',
] as const;
/** Columns of short texts. */
export const textColumns = ['osName', 'osVersion', 'architecture'] as const;

/** A column of whole numbers; ids are 0 if there is none. */
export type NumberColumn = (typeof numberColumns)[number];
/** A column of times, in milliseconds since 1970; NaN if there is none. */
export type TimeColumn = (typeof timeColumns)[number];
/** A column of words of a closed list. */
export type WordColumn = keyof typeof wordLists;
/** A column of 0 and 1. */
export type FlagColumn = (typeof flagColumns)[number];
/** A column of short texts that many hosts share. */
export type TextColumn = (typeof textColumns)[number];
