import type { Release } from '@plimsoll/model';

/** A known error of a feed: which versions of a package a CVE really affects in a release. */
export interface FeedOverride {
  /** Id of the feed. */
  readonly feed: string;
  readonly release: Release;
  /** The name by which the feed's advisories name the package: the source package of Debian and Ubuntu. */
  readonly package: string;
  readonly cve: string;
  /** The first affected version; null: no lower limit. */
  readonly affectedFrom: string | null;
  /** The first version that is no longer affected; null: no upper limit. Both null: no version is affected. */
  readonly affectedBefore: string | null;
  /** What the feed gets wrong, in a sentence. */
  readonly reason: string;
  /** The URL of the evidence. */
  readonly source: string;
}
