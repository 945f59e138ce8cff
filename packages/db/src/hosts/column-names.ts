import { approvalStatuses, hostExposures } from '@plimsoll/model';

/** Columns of whole numbers. */
export const numberColumns = ['releaseId', 'setId', 'tagSetId', 'kernelId', 'findingListId', 'gaps'] as const;
/** Columns of times. */
export const timeColumns = ['createdAt', 'firstSnapshotAt'] as const;
/** Columns of words of a closed list, stored as positions in it. */
export const wordLists = {
  approvalStatus: approvalStatuses,
  osFamily: [],
  exposure: hostExposures,
} as const;
/** Columns of 0 and 1. */
export const flagColumns = ['isPresent', 'hasReport', 'runsUnknownKernel'] as const;
/** Columns of short texts. */
export const textColumns = ['osName', 'osVersion'] as const;

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
