import type { PackageFamily } from '@plimsoll/model';
import type { ReportSection } from './report-section.ts';

/** What a section is and how it is read: one line of the registry. */
export interface SectionRule<Facts> {
  readonly family: PackageFamily | 'every';
  /**
   * What follows from a report without it: there is no snapshot (`invalid`), what it would say is unknown (`unknown`),
   * or the host has nothing of the kind (`none`).
   */
  readonly absence: 'invalid' | 'unknown' | 'none';
  /** Exit statuses with which what was printed is the answer. */
  readonly answers: readonly number[];
  /** Exit statuses with which what was printed is true, but not all. */
  readonly partial?: readonly number[];
  /** What is unknown when it failed, in the words of SectionFailure. */
  readonly fact: FailedFact;
  /** Reads what was printed; null where nothing of it was understood, which `notes.fail` has said. */
  readonly parse: (section: ReportSection, notes: SectionNotes) => Facts | null;
}

/**
 * The names of `SectionFailure`: the field of snapshot.proto whose facts are unknown, and where that is more than what
 * failed, what failed.
 */
export type FailedFact =
  | 'observed'
  | 'platform'
  | 'packages'
  | 'upgradable'
  | 'kernel'
  | 'services'
  | 'repositories'
  | 'module_streams'
  | 'subscription'
  | 'livepatch'
  | 'candidates'
  | 'origins'
  | 'advisories'
  | 'locks';

/** Where a section's parser says what is wrong with it. */
export interface SectionNotes {
  /** A broken rule that makes the whole report invalid. */
  error(line: number, detail: string): void;
  /** Something that was passed over or set right. */
  warn(line: number, detail: string): void;
  /** The section, or a part of it, could not be understood: a SectionFailure. */
  fail(detail: string): void;
}
