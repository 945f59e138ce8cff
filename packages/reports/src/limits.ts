import { maxUploadBytes } from '@plimsoll/model';

/**
 * The longest text fields of a snapshot, in UTF-16 code units. A longer identity field (`name`, `version`) is an
 * error; other text is cut.
 */
export const textLimits = {
  /** Package, source package and architecture names, os ids. */
  name: 256,
  /** Versions, modularity labels. */
  version: 512,
  /** A DNS name. */
  hostname: 253,
  /** Text for people. */
  text: 4096,
  /** The error of a repository fetch. */
  fetchError: 300,
} as const;

/**
 * The largest number of entries of each repeated field in one snapshot, over all parents, by the field's
 * path. Checked before decoding, so that a body of empty entries cannot exhaust memory: 32 MiB hold 16
 * million of them. Real hosts have far fewer: 3,000 packages are many, 10,000 were never seen.
 */
export const listLimits = {
  '/packages': 50_000,
  '/broken': 50_000,
  '/upgradable': 20_000,
  '/upgradable/advisory_ids': 200_000,
  '/platform/ip_addresses': 10_000,
  '/kernel/installed': 10_000,
  '/kernel/reboot_packages': 10_000,
  '/kernel/livepatched_cves': 10_000,
  '/kernel/reboot_answers': 100,
  '/services/to_restart': 10_000,
  '/services/failed_units': 10_000,
  '/repositories': 10_000,
  '/module_streams': 10_000,
  '/subscription/services': 10_000,
  '/failures': 10_000,
  '/observed/refreshed': 10_000,
} as const satisfies Record<string, number>;

/** The largest number of errors, and of warnings, in one snapshot's answer. */
export const maxProblems = 100;

/** The highest accepted `schema_version`: PostgreSQL's `integer` limit. */
export const maxSchemaVersion = 2_147_483_647;

/** Size limits of a text report and its parts. Lengths are in UTF-16 code units. */
export const reportLimits = {
  bytes: maxUploadBytes,
  lines: 600_000,
  lineLength: 1_048_576,
  sections: 64,
  sectionName: 64,
  /** Lines of a tool's error output that are kept per section. */
  saidLines: 20,
  /** Name patterns in a host's locks and excludes; real hosts have a few. */
  lockPatterns: 1_000,
} as const;
