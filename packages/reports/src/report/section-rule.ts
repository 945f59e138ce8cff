import type { PackageFamily } from '@plimsoll/model';
import type { ReportSection } from './report-section.ts';

/** The definition of a section: one entry of the registry. */
export interface SectionRule<Facts> {
  readonly family: PackageFamily | 'every';
  /**
   * The meaning of a missing section: there is no snapshot (`invalid`), its facts are unknown (`unknown`), or the host lacks the
   * feature (`none`). Of a failed one the facts are unknown.
   */
  readonly absence: 'invalid' | 'unknown' | 'none';
  /** Exit statuses with which the output is the answer. */
  readonly answers: readonly number[];
  /** Other exit statuses with which the output is correct but incomplete; `every`: all others. */
  readonly partial?: readonly number[] | 'every';
  /** The facts that are unknown after a failure, in the words of SectionFailure. */
  readonly fact: FailedFact;
  /** Parses the output; null if nothing was understood, which `notes.fail` has reported. */
  readonly parse: (section: ReportSection, notes: SectionNotes) => Facts | null;
}

/** The names of `SectionFailure`: the field of snapshot.proto whose facts are unknown, or the failed part of it. */
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
  | 'locks'
  | 'broken'
  | 'units';

/** Receives a section parser's findings about the section. */
export interface SectionNotes {
  /** Something that was skipped or corrected. */
  warn(line: number, detail: string): void;
  /** A row that breaks a rule and is left out; the section is then incomplete. */
  leaveOut(line: number, detail: string): void;
  /** The section, or a part of it, was not understood: a SectionFailure. */
  fail(detail: string): void;
}
