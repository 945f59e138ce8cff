import type { Builds, Fix, JsonObject, Release, Severity } from '@plimsoll/model';
import type { VersionScheme } from '@plimsoll/versions';

/** What OSV leaves to each ecosystem. A distribution that publishes OSV brings one of these. */
export type OsvDialect = DialectRules & (SourceNames | PackageNames);

/**
 * Records that name source rpms, to speak of every binary package built from them. inTermsOf has the rules for source
 * rpms alone, so that no other scheme may say so.
 */
interface SourceNames {
  readonly scheme: 'rpm';
  readonly names: 'source';
}

/** Records that name what packages of the release are matched by. */
interface PackageNames {
  readonly scheme: VersionScheme;
  readonly names?: never;
}

interface DialectRules {
  /** The place an ecosystem string names (`Debian:12`); null for other ecosystems and for no single release. */
  placeOf(ecosystem: string): OsvPlace | null;
  isPackageName(name: string): boolean;
  /** What a record is, by its id; null for a form that this ecosystem does not use. */
  identify(id: string): OsvIdentity | null;
  /** The vendor's own judgement in an affected entry's `ecosystem_specific`, and of the record as a whole. */
  rate(ecosystemSpecific: JsonObject, record: OsvRecordFacts, entry: OsvEntryFacts): VendorRating;
  /**
   * Which builds an entry speaks of; several say the same of each, and none means that the record leaves open which, so
   * that the entry is left out. `version` is the fixed one, null where there is none.
   */
  buildsOf(version: string | null, place: OsvPlace, record: OsvRecordFacts): Builds | readonly Builds[];
  /**
   * What several entries about the same builds of a package mean. `any`: affected is what any of them calls affected.
   * `all`: a version that has reached one of the fixed versions is fixed, and a fix counts more than none.
   */
  readonly repeats: 'any' | 'all';
}

/** Where an affected entry is true. */
export interface OsvPlace {
  readonly release: Release;
  /** The subscription service that ships its fixes; null where everybody gets them. */
  readonly service: string | null;
  /** The line of builds it is about (see Builds); null for the release's main one. */
  readonly line: string | null;
}

/** The identity of a record that becomes an advisory. */
export type OsvAdvisoryIdentity = Exclude<OsvIdentity, { kind: 'not_about_packages' | 'not_about_security' }>;

/** What of the whole record the judgement of an entry can depend on. */
export interface OsvRecordFacts {
  readonly id: string;
  readonly summary: string;
  /** The record itself, of which nothing else was checked. */
  readonly record: JsonObject;
}

/** One affected entry as it stands, of which nothing but its place was checked. */
export interface OsvEntryFacts {
  readonly entry: JsonObject;
  readonly place: OsvPlace;
}

/**
 * A record's kind and page. A vulnerability record is about one CVE; an erratum names its CVEs elsewhere. Records that
 * are about something else than packages, or about no vulnerability, are passed over.
 */
export type OsvIdentity =
  | { readonly kind: 'not_about_packages' }
  | { readonly kind: 'not_about_security' }
  | { readonly kind: 'vulnerability'; readonly cve: string; readonly url: string }
  | { readonly kind: 'erratum'; readonly url: string };

/**
 * The vendor's severity (null: it gives none, CVSS decides), and its word where it ships no fix. `service` is the one that
 * ships the entry's fix, where the entry itself says so; left out, it is the place's.
 */
export interface VendorRating {
  readonly severity: Severity | null;
  readonly unfixed: Extract<Fix, { kind: 'unfixed' }>;
  readonly service?: string | null;
}
