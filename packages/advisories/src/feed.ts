import type { Advisory, Release } from '@plimsoll/model';
import type { RecordIssue } from './record-issues.ts';

/** The forms in which records come; the import formats of the HTTP contract that carry advisories. */
export const recordFormats = ['osv', 'updateinfo', 'almalinux-errata', 'rocky-errata', 'redhat-cve'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** Where advisories come from: one upstream export in one format, for the releases of one distribution. */
export interface FeedDefinition {
  readonly id: string;
  /** `id` of the distribution it speaks for. */
  readonly distribution: string;
  /** Those rebuilt from it, of whose releases its records say something too: their hosts need it as well. */
  readonly rebuilds?: readonly string[];
  readonly format: RecordFormat;
  /** What people call it, for messages: an ecosystem, a site. */
  readonly title: string;
  /** The whole export as one file of the public OSV export (`Debian/all.zip`); null where it has none there. */
  readonly path: string | null;
  /** Its files where they lie elsewhere: the feed is what all of them say. Left out with `path` null: it is only imported. */
  readonly files?: readonly FeedFile[];
  /** Whether it lists fixes. Left out: it does. One that does not cannot speak for a release alone. */
  readonly listsFixes?: false;
  /** Whether it states which vulnerabilities have no fix yet, so that its silence means something. Left out: it does not. */
  readonly statesUnfixed?: true;
  /** What it cannot know besides what follows from `statesUnfixed`, in sentences for operators. */
  readonly limits?: readonly string[];
  /** What a record says. Total: any value has an answer. */
  read(record: unknown, context: RecordContext): FeedRecordReading;
}

/** One file of a feed. */
export interface FeedFile {
  /** Where its publisher has it: a file, a repository's index `…/repodata/repomd.xml`, or the `mirror.list` of one. */
  readonly url: string;
  /** Where a mirror has it, below its base URL; unique among all files of all feeds. */
  readonly path: string;
  /** The release that all of its records are for: it is fetched for fleets that run it. Null: they say so themselves. */
  readonly release: Release | null;
  /** Whether a repository may have no updateinfo at all, and so says nothing. Left out: that is an error. */
  readonly isSparse?: boolean;
}

/** What a record can depend on besides itself. */
export interface RecordContext {
  /** The release that whoever brought the file said it is for; null where the records say so themselves. */
  readonly release: Release | null;
}

/**
 * What a record is to a feed. `issues` are the parts of it that were left out or taken as wider than they are; an
 * advisory stands without them. Skipped: nothing in it is for this feed. Rejected: it is broken.
 */
export type FeedRecordReading =
  | { readonly kind: 'advisory'; readonly advisory: Advisory; readonly issues: readonly RecordIssue[] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason; readonly issues: readonly RecordIssue[] };

/** Why a record was passed over: nothing of this feed's, a notice about no package, an update without a vulnerability. */
export type SkipReason = 'no_release_of_this_feed' | 'not_about_packages' | 'not_about_security';

/** Why a record was rejected as a whole. */
export type RejectionReason =
  | 'not_an_object'
  | 'invalid_id'
  | 'unknown_id_form'
  | 'invalid_affected'
  | 'too_many_affected'
  | 'no_usable_package';
