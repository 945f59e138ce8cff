import type { Fix, Release, Severity } from '@plimsoll/model';
import type { VersionScheme } from '@plimsoll/versions';
import type { JsonObject } from './json-fields.ts';

/** What OSV leaves to each ecosystem. A distribution that publishes OSV brings one of these. */
export interface OsvDialect {
  readonly scheme: VersionScheme;
  /** The release an ecosystem string names (`Debian:12`); null for other ecosystems and for no single release. */
  releaseOf(ecosystem: string): Release | null;
  isPackageName(name: string): boolean;
  /** What a record is, by its id; null for a form that this ecosystem does not use. */
  identify(id: string): OsvIdentity | null;
  /** The vendor's own judgement in an affected entry's `ecosystem_specific`. */
  rate(ecosystemSpecific: JsonObject): VendorRating;
}

/** A record's kind and page. A vulnerability record is about one CVE; an erratum names its CVEs elsewhere. */
export type OsvIdentity =
  | { readonly kind: 'vulnerability'; readonly cve: string; readonly url: string }
  | { readonly kind: 'erratum'; readonly url: string };

/** The vendor's severity (null: it gives none, CVSS decides), and its word where it ships no fix. */
export interface VendorRating {
  readonly severity: Severity | null;
  readonly unfixed: Extract<Fix, { kind: 'unfixed' }>;
}
