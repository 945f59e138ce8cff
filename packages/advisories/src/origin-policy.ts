import type { InstalledPackage, Platform, Snapshot, Upgrade } from '@plimsoll/model';
import { isInNoRepository } from './builds.ts';

/** What an operator states of an archive: its packages are those of a distribution, in the same versions. */
export interface MirrorRule {
  /** `Origin` of the archive's Release file, or rpm's vendor, in any case. */
  readonly origin: string;
  /** The id of the distribution, such as `debian`. */
  readonly mirrors: string;
  /** Absent: all hosts. Else those with one of the tags. */
  readonly tags?: readonly string[];
}

const stated = /^(.*) \(mirrors ([a-z]+)\)$/s;

/** An origin with the distribution that it is stated to mirror. Package versions are stored with it, so that it is their evidence. */
export function mirrorOrigin({ mirrors }: Pick<MirrorRule, 'mirrors'>, origin: string): string {
  return `${origin} (mirrors ${mirrors})`;
}

/** The origin without such a statement, and the distribution; null without one. */
export function statedMirror(origin: string): { readonly origin: string; readonly mirrors: string } | null {
  const [, plain, mirrors] = stated.exec(origin) ?? [];
  return plain === undefined || mirrors === undefined ? null : { origin: plain, mirrors };
}

/** What says where a package version comes from, in a sentence. */
export function originEvidence(version: { readonly vendor: string; readonly suite: string }): string {
  const mirror = statedMirror(version.vendor);
  if (mirror !== null) return `"${mirror.origin}" is stated to mirror ${mirror.mirrors}.`;
  if (isInNoRepository(version)) return 'The host read all its package lists, and none has this version.';
  if (version.vendor === noVendor)
    return 'It has no vendor, as packages of distributions have, nor the signature of one.';
  if (version.vendor !== '') return `Its origin is "${version.vendor}", as the host reports.`;
  return 'The host reports no origin.';
}

/** rpm's word for a tag that a package does not have. */
export const noVendor = '(none)';

/** An origin as the host reports it. */
export function plainOrigin(origin: string): string {
  return statedMirror(origin)?.origin ?? origin;
}

/** The parts of a snapshot that have origins. */
export type OriginParts = Pick<Snapshot, 'packages' | 'upgrades'>;

/**
 * A snapshot's packages and updates with the origins by which they are judged: that of a stated mirror; of an rpm package without
 * a vendor that of packages with its signing key, or `(none)` if there is none and the host reports vendors of others:
 * distributions name themselves in all their packages.
 * @param rules those for the host; the first for an origin counts.
 */
export function withOrigins(
  { packages, upgrades }: OriginParts,
  { osFamily }: Pick<Platform, 'osFamily'>,
  rules: readonly MirrorRule[],
): OriginParts {
  const byOrigin = new Map([...rules].reverse().map((rule) => [rule.origin.toLowerCase(), rule]));
  const originOf = (origin: string): string => {
    const rule = byOrigin.size === 0 ? undefined : byOrigin.get(origin.trim().toLowerCase());
    return rule === undefined ? origin : mirrorOrigin(rule, origin);
  };
  const vendors = new Map<string, string>();
  if (osFamily === 'rpm')
    for (const { vendor, signingKey } of packages) if (vendor !== '') vendors.set(signingKey, vendor);
  const vendorOf = ({ vendor, signingKey }: InstalledPackage): string =>
    vendor === '' && vendors.size > 0
      ? ((signingKey === '' ? undefined : vendors.get(signingKey)) ?? noVendor)
      : originOf(vendor);
  return {
    packages: mapChanged(packages, (one) => ({ vendor: vendorOf(one) })),
    upgrades:
      byOrigin.size === 0 ? upgrades : mapChanged(upgrades, ({ origin }) => ({ origin: originOf(origin) })),
  };
}

/** The same list, with the same object where nothing changes: interning knows objects again. */
function mapChanged<Item extends InstalledPackage | Upgrade>(
  items: readonly Item[],
  changeOf: (item: Item) => Partial<Item>,
): readonly Item[] {
  return items.map((item) => {
    const change = changeOf(item);
    const isSame = Object.entries(change).every(([key, value]) => item[key as keyof Item] === value);
    return isSame ? item : { ...item, ...change };
  });
}
