import type { Platform, Release } from '@plimsoll/model';
import type { KernelStyle } from './kernel-package.ts';
import type { OriginRules } from './origin.ts';
import type { LineRules } from './own-line.ts';

/** What tells one distribution with rpm packages from another. */
export interface RpmFamily extends OriginRules {
  /** Also how its releases begin: `almalinux` of `almalinux:8`. */
  readonly id: string;
  /** `ID` in os-release. */
  readonly osIds: readonly string[];
  /** The number of the release that a platform runs, `8` of `8.9`; null where it has none. */
  numberOf(platform: Platform): string | null;
  /** Whether a text is the number of a release. */
  isNumber(number: string): boolean;
  /** Last days of support by release number, `2029-05-31`, where they are set. */
  readonly lastDays: ReadonlyMap<string, string>;
  kernelStyle(number: string): KernelStyle;
  readonly lines: LineRules;
  /** Whether its advisories speak of builds of closed lines, such as FIPS ones. */
  readonly ratesClosedLines: boolean;
}

/** The release of this number; null where the family has no such numbers. */
export function rpmRelease(family: RpmFamily, number: string): Release | null {
  return family.isNumber(number) ? (`${family.id}:${number}` as Release) : null; // The one place that makes them.
}

/** The number of a release; null for one of another distribution. */
export function numberOfRelease(family: RpmFamily, release: Release): string | null {
  const prefix = `${family.id}:`;
  if (!release.startsWith(prefix)) return null;
  const number = release.slice(prefix.length);
  return family.isNumber(number) ? number : null;
}
