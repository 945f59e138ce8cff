import type { Platform, Release } from '@plimsoll/model';
import type { KernelStyle } from './kernel-package.ts';
import type { OriginRules } from './origin.ts';
import type { LineRules } from './own-line.ts';

/** Extended support by repositories of its own. */
export interface ExtendedRepositories {
  /** Its name in advisories, and in what a host's subscription has. */
  readonly service: string;
  /** In the ids or addresses of its repositories. */
  readonly repository: RegExp;
  /** Its last days by release number. */
  readonly lastDays: ReadonlyMap<string, string>;
}

/** The properties of one rpm distribution. */
export interface RpmFamily extends OriginRules {
  /** Also the prefix of its releases: `almalinux` of `almalinux:8`. */
  readonly id: string;
  /** `ID` in os-release. */
  readonly osIds: readonly string[];
  /** The release number of a platform, `8` of `8.9`; null if it has none. */
  numberOf(platform: Platform): string | null;
  /** Whether a text is the number of a release. */
  isNumber(number: string): boolean;
  /** Known last days of support by release number: `2029-05-31`. */
  readonly lastDays: ReadonlyMap<string, string>;
  /** An edition under the same release numbers with other last days, by its `PRETTY_NAME` in os-release. Absent: none. */
  readonly edition?: { readonly name: RegExp; readonly lastDays: ReadonlyMap<string, string> };
  /** Support after these days that hosts with its repositories get. Absent: none. */
  readonly extended?: ExtendedRepositories;
  kernelStyle(number: string): KernelStyle;
  readonly lines: LineRules;
  /** Whether its advisories cover builds of closed lines such as FIPS. */
  readonly ratesClosedLines: boolean;
  /** Whether its advisories cover builds of a line that is not closed. Absent: they cover each. */
  isRatedLine?(line: string): boolean;
}

/** Reads a table of last days: `15.6=2025-12-31 15.7=2031-07-31`. */
export function lastDaysOf(table: string): ReadonlyMap<string, string> {
  return new Map(
    table.split(/\s+/).map((entry) => {
      const [number = '', day = ''] = entry.split('=');
      return [number, day];
    }),
  );
}

/** The release with a number; null if the family has no such number. */
export function rpmRelease(family: RpmFamily, number: string): Release | null {
  return family.isNumber(number) ? (`${family.id}:${number}` as Release) : null; // The only place that makes them.
}

/** The number of a release; null for a release of another distribution. */
export function numberOfRelease(family: RpmFamily, release: Release): string | null {
  const prefix = `${family.id}:`;
  if (!release.startsWith(prefix)) return null;
  const number = release.slice(prefix.length);
  return family.isNumber(number) ? number : null;
}
