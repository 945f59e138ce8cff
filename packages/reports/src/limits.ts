import { maxUploadBytes } from '@plimsoll/model';

/**
 * The largest text fields a snapshot may carry, in UTF-16 code units. Identity fields (`name`, `version`) beyond them
 * are errors; all other text is cut.
 */
export const textLimits = {
  /** Package, source package and architecture names, os ids. */
  name: 256,
  /** Versions, modularity labels. */
  version: 512,
  /** A DNS name. */
  hostname: 253,
  /** Everything a person reads. */
  text: 4096,
  /** Why a repository could not be fetched. */
  fetchError: 300,
} as const;

/**
 * How many entries each repeated field of the format may hold in one snapshot, all parents together, by the field's
 * path. Checked before anything is decoded, so that a body of empty entries cannot fill the memory: 32 MiB hold 16
 * million of them. Real hosts stay far below: 3,000 packages are many, 10,000 were never seen.
 */
export const listLimits = {
  '/packages': 50_000,
  '/upgradable': 20_000,
  '/upgradable/advisory_ids': 200_000,
  '/platform/ip_addresses': 10_000,
  '/kernel/installed': 10_000,
  '/kernel/reboot_packages': 10_000,
  '/kernel/livepatched_cves': 10_000,
  '/services/to_restart': 10_000,
  '/repositories': 10_000,
  '/module_streams': 10_000,
  '/subscription/services': 10_000,
  '/failures': 10_000,
  '/observed/refreshed': 10_000,
} as const satisfies Record<string, number>;

/** The most errors, and the most warnings, that one snapshot's answer lists. */
export const maxProblems = 100;

/** How far ahead of its arrival a snapshot may say it was collected, in milliseconds: clocks drift, a day is a fault. */
export const maxClockAheadMs = 24 * 60 * 60 * 1000;

/** The highest `schema_version` taken: what PostgreSQL's `integer` holds. */
export const maxSchemaVersion = 2_147_483_647;

/** How large a text report, and any part of it, may be. Lengths are in UTF-16 code units. */
export const reportLimits = {
  bytes: maxUploadBytes,
  lines: 600_000,
  lineLength: 1_048_576,
  sections: 64,
  sectionName: 64,
  /** Lines of a tool's words about its failing that are kept for each section. */
  saidLines: 20,
  /** Patterns of names in a host's locks and excludes; real hosts have a handful. */
  lockPatterns: 1_000,
} as const;
