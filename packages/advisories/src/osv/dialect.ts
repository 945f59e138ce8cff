import type { AffectedPackage, Builds, Fix, JsonObject, Release, Severity } from '@plimsoll/model';
import type { VersionScheme } from '@plimsoll/versions';

/** The ecosystem-specific parts of OSV, provided by each distribution that publishes OSV. */
export type OsvDialect = DialectRules & (SourceNames | PackageNames);

/**
 * Records that name source rpms and cover every binary package built from them. Only rpm, because inTermsOf has rules
 * only for source rpms.
 */
interface SourceNames {
  readonly scheme: 'rpm';
  readonly names: 'source';
}

/** Records that name the match name of the release's packages. */
interface PackageNames {
  readonly scheme: VersionScheme;
  readonly names?: never;
}

interface DialectRules {
  /** The place of an ecosystem (`Debian:12`); null for other ecosystems and for several releases. */
  placeOf(ecosystem: string): OsvPlace | null;
  isPackageName(name: string): boolean;
  /** Identifies a record, in general by its id; null for an id form that this ecosystem does not use. */
  identify(id: string, record: JsonObject): OsvIdentity | null;
  /** The vendor's rating in an affected entry's `ecosystem_specific` and in the record. */
  rate(ecosystemSpecific: JsonObject, record: OsvRecordFacts, entry: OsvEntryFacts): VendorRating;
  /** A fixed version in the form of installed ones. Absent: as stated. */
  fixedVersionOf?(stated: string): string;
  /** The CVEs that an entry of an erratum is about, sorted; empty if it does not state them. Absent: it never does. */
  cvesOf?(entry: JsonObject): readonly string[];
  /**
   * The builds that an entry covers; the statement applies to each of several. Empty: the record does not identify
   * them, and the entry is skipped. `version` is the fixed version, null without a fix.
   */
  buildsOf(version: string | null, place: OsvPlace, record: OsvRecordFacts): Builds | readonly Builds[];
  /**
   * How to merge several entries about the same builds of a package. `any`: affected if any entry calls it affected.
   * `all`: fixed if it has reached one of the fixed versions, and a fix takes precedence over no fix. `latest`: fixed
   * if it has reached the highest of the fixed versions, and a fix takes precedence over no fix.
   */
  readonly repeats: 'any' | 'all' | 'latest';
  /** Combines the statements of a record, one per release, package and builds. Absent: each counts. */
  settle?(packages: readonly AffectedPackage[]): readonly AffectedPackage[];
}

/** The scope of an affected entry. */
export interface OsvPlace {
  readonly release: Release;
  /** The subscription service that ships its fixes; null: free for all. */
  readonly service: string | null;
  /** Its build line (see Builds); null for the release's main line. */
  readonly line: string | null;
}

/** The identity of a record that becomes an advisory. */
export type OsvAdvisoryIdentity = Exclude<OsvIdentity, { kind: 'not_about_packages' | 'not_about_security' }>;

/** The parts of the record that the judgement of an entry can depend on. */
export interface OsvRecordFacts {
  readonly id: string;
  readonly summary: string;
  /** The record itself, otherwise unvalidated. */
  readonly record: JsonObject;
}

/** One affected entry; only its place is validated. */
export interface OsvEntryFacts {
  readonly entry: JsonObject;
  readonly place: OsvPlace;
}

/**
 * The kind and page of a record. A vulnerability record covers one CVE; an erratum names its CVEs elsewhere. Records
 * that are not about packages or not about vulnerabilities are skipped.
 */
export type OsvIdentity =
  | { readonly kind: 'not_about_packages' }
  | { readonly kind: 'not_about_security' }
  | { readonly kind: 'vulnerability'; readonly cve: string; readonly url: string }
  | { readonly kind: 'erratum'; readonly url: string };

/**
 * The vendor's severity (null: none given, CVSS decides), and its word for an unfixed package. `service`: the service
 * that ships the entry's fix, if the entry states it; absent: the place's service.
 */
export interface VendorRating {
  readonly severity: Severity | null;
  readonly unfixed: Extract<Fix, { kind: 'unfixed' }>;
  readonly service?: string | null;
}
