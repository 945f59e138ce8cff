import type { InstalledPackage, OsFamily, Snapshot } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { isInNoRepository } from './builds.ts';

/** What an operator states of an archive: its packages are those of a distribution, in the same versions. */
export interface MirrorRule {
  /** `Origin` of the archive's Release file, or rpm's vendor, in any case. */
  readonly origin: string;
  /** `Label` of the archive's Release file, exactly. Absent: any, also an unknown one. */
  readonly label?: string;
  /** The id of the distribution, such as `debian`. */
  readonly mirrors: string;
  /** Absent: all hosts. Else those with one of the tags. */
  readonly tags?: readonly string[];
}

/** An origin is stored with what is stated of it, as the evidence of its package versions. */
const stated = /^(.*) \(mirrors ([a-z]+)\)$/s;

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
  if (version.vendor.endsWith(otherKey))
    return `It names "${version.vendor.slice(0, -otherKey.length)}", but lacks the signature of most packages that do.`;
  if (version.vendor !== '') return `Its origin is "${version.vendor}", as the host reports.`;
  return 'The host reports no origin.';
}

/** rpm's word for a tag that a package does not have. */
export const noVendor = '(none)';

/** An origin without what an operator states of it. */
export function plainOrigin(origin: string): string {
  return statedMirror(origin)?.origin ?? origin;
}

/** Whether packages of a family name their vendor themselves. */
const namesVendors: Readonly<Record<OsFamily, boolean>> = { apt: false, rpm: true, unknown: false };
/** A key that rpm trusts is listed as a package, and has no vendor. */
const signingKeyEntry = 'gpg-pubkey';

/** Keys of this many packages of a vendor are its own, as before and after a change of keys, or of the form of signatures. */
const packagesOfOwnKey = 10;
const otherKey = ' (other key)';

/**
 * A snapshot's packages and updates with the origins by which they are judged: that of a stated mirror; of an rpm package without
 * a vendor that of packages with its signing key, or `(none)` if there is none and the host reports vendors of others:
 * distributions name themselves in all their packages. Anybody can write a vendor: of a package that is signed with no key known
 * as its vendor's, nor that of most packages of its vendor, it is `AlmaLinux (other key)`. What does not change stays the same object: interning knows it again.
 * @param rules those for the host; the first for an origin and label counts.
 */
export function withOrigins(
  { packages, upgrades, platform }: Pick<Snapshot, 'packages' | 'upgrades' | 'platform'>,
  rules: readonly MirrorRule[],
): Pick<Snapshot, 'packages' | 'upgrades'> {
  const named = rules.map((rule) => ({ ...rule, origin: rule.origin.trim().toLowerCase() }));
  const originOf = (origin: string, reported: string | undefined): string => {
    const name = origin.trim().toLowerCase();
    const rule = named.find((one) => one.origin === name && (one.label ?? reported) === reported);
    return rule === undefined ? origin : `${origin} (mirrors ${rule.mirrors})`;
  };
  const vendorOf = namesVendors[platform.osFamily] ? vendorsByKey(packages) : reportedOrigin;
  const stated = {
    packages: packages.map((one) => {
      const vendor = originOf(vendorOf(one), one.label);
      return vendor === one.vendor ? one : { ...one, vendor };
    }),
    upgrades: upgrades.map((one) => {
      const origin = originOf(reportedOrigin({ vendor: one.origin }), one.label);
      return origin === one.origin ? one : { ...one, origin };
    }),
  };
  return stated.packages.some(isInNoRepository) ? withRenamed(stated, platform.osId) : stated;
}

/** Kernels come from several sources, whose binary packages alone have versions of one kind. */
const kernelSource = /^linux(?:-|$)/;
const kernelLine = 'linux';
/** The name of a distribution's kernel has the number of its build: `6.1.0-31-amd64`, `6.12.38+deb13-amd64`. */
const numberedKernel = /^linux-image-(?:unsigned-)?\d+\.\d+(?:\.\d+)?(?:-\d|\+(?:deb|bpo))/;

/**
 * Packages that no repository has any more with an unknown origin if they are the distribution's: libraries and kernels change
 * their names with their versions. So they are if it has their source in the same version or a higher one; a kernel if its name
 * is of the distribution's form, and no higher one than its kernels, as far as they are known.
 */
function withRenamed<T extends Pick<Snapshot, 'packages' | 'upgrades'>>(found: T, osId: string): T {
  const highest = new Map<string, Uint8Array>();
  const offers = found.upgrades.map((one) => ({ ...one, vendor: one.origin, version: one.candidateVersion }));
  for (const one of [...found.packages, ...offers]) {
    const vendor = statedMirror(one.vendor)?.mirrors ?? one.vendor.toLowerCase();
    if (osId === '' || !vendor.startsWith(osId)) continue;
    const { line, key } = sourceOf(one);
    const other = highest.get(line);
    if (key !== null && (other === undefined || compareKeys(key, other) > 0)) highest.set(line, key);
  }
  const isRenamed = (one: InstalledPackage): boolean => {
    const { line, key } = sourceOf(one);
    const known = highest.get(line);
    if (line === kernelLine && !numberedKernel.test(one.name)) return false;
    return known === undefined ? line === kernelLine : key !== null && compareKeys(key, known) <= 0;
  };
  const packages = found.packages.map((one) =>
    isInNoRepository(one) && isRenamed(one) ? { ...one, suite: '' } : one,
  );
  return { ...found, packages };
}

function sourceOf(one: Pick<InstalledPackage, 'sourceName' | 'sourceVersion' | 'version'>) {
  const isKernel = kernelSource.test(one.sourceName);
  const parsed = versionKey('dpkg', isKernel ? one.version : one.sourceVersion);
  return { line: isKernel ? kernelLine : one.sourceName, key: parsed.kind === 'key' ? parsed.key : null };
}

/** An origin as reported: one that has the form of a statement is none, only an operator's rule makes them. */
function reportedOrigin({ vendor }: Pick<InstalledPackage, 'vendor'>): string {
  return statedMirror(vendor) === null ? vendor : `${vendor}.`;
}

const address = /\s*<[^<>]*>\s*$/;

/** A vendor's name as it is compared: in lower case, without an address. */
export function plainVendor(vendor: string): string {
  return vendor.replace(address, '').trim().toLowerCase();
}

/** The vendors of rpm packages by what they name and what signed them. */
function vendorsByKey(packages: Snapshot['packages']): (one: InstalledPackage) => string {
  const keysOf = new Map<string, Map<string, number>>();
  const vendors = new Map<string, string>();
  for (const one of packages) {
    const [vendor, key] = [reportedOrigin(one), one.signingKey];
    const keys = keysOf.get(plainVendor(vendor)) ?? new Map<string, number>();
    keysOf.set(plainVendor(vendor), keys.set(key, (keys.get(key) ?? 0) + 1));
    if (vendor !== '' && key !== '') vendors.set(key, vendor);
  }
  const isSomeNamed = keysOf.size > Number(keysOf.has(''));
  const ownKeys = new Map([...keysOf].map(([vendor, keys]) => [vendor, ownKeysOf(keys)]));
  return (one) => {
    const vendor = reportedOrigin(one);
    const plain = plainVendor(vendor);
    const isOwn = () => ownKeys.get(plain)?.has(one.signingKey) || isKeyOfVendor(plain, one.signingKey);
    if (vendor !== '') return isOwn() ? vendor : `${vendor}${otherKey}`;
    return isSomeNamed && one.name !== signingKeyEntry ? (vendors.get(one.signingKey) ?? noVendor) : '';
  };
}

/** The keys that are a vendor's own, by the number of packages that each signed; `''`: not signed, or not reported. */
function ownKeysOf(keys: ReadonlyMap<string, number>): ReadonlySet<string> {
  const most = Math.max(...keys.values());
  const isTied = [...keys].some(([key, count]) => key !== '' && count === most);
  const isOwn = (key: string, count: number): boolean =>
    count >= packagesOfOwnKey || (count === most && (key !== '' || !isTied));
  return new Set([...keys].flatMap(([key, count]) => (isOwn(key, count) ? key : [])));
}

/**
 * Ids of the keys that sign packages of vendors, by the first word of the vendor's name: a vendor that changes its key leaves
 * some packages with the other. From https://github.com/rpm-software-management/distribution-gpg-keys; of Fedora all since 36, as
 * what was not rebuilt keeps the key of its release, and EPEL's.
 */
const keysByVendor: Readonly<Record<string, string>> = {
  almalinux: '488fcf7c3abb34f8 51d6647ec21ad6ea 2ae81e8aced7258b d36cb86cb86b3716 dee5c11cc2a1e572',
  amazon: '11cf1f95c87f5b1a e951904ad832c631',
  centos: 'a8a447dce8562897 0946fca2c105b9de 24c6a8a7f4a80eb5 6c7cb6ef305d49d6 05b555b38483c65d',
  fedora: `999f7cbf38ab71f4 f55ad3fb5323552a 809a8d7ceb10b464 75cf5ac418b8e74c 0727707ea15b79cc d0622462e99d6ad1 c8ac4916105ef944
    829b606631645531 dbfcf71c6d9f90a6 655a4b02f577861e 96e7e91491211fce 09d879e09488fb64
    119cc036217521f6 3b49df2a0608b895 6a2faea2352c64e5 21ea45ab2f86d6a1 8a3872bf3228467c 33d98517e37ed158`,
  opensuse: 'b88b2fd43dbdc284 35a2f86e29b700a4 9c214d4065176565 8a49eb0325db7ae0 488c583d287a0027',
  oracle: '66ced3de1e5e0159 72f97b74ec551f03 82562ea9ad986da3 bc4d06a08d8b756f a7dd07088b4efbe6',
  red: '5326810137017186 45689c882fa658e0 199e2f91fd431d51 f76f66c3d4082792 5054e4a45a6340b3',
  rocky: '15af5dac6d745a60 702d426d350d275d 5b106c736fedfc85',
  suse: 'e3a5c360307e3d54 70af9e8139db7c82 f74f09bc3fa1d6ce fec28eaf09d9ea69',
};

const knownKeys = new Map(
  Object.entries(keysByVendor).map(([vendor, ids]) => [vendor, new Set(ids.split(/\s+/))]),
);

/** Whether a key is known to sign packages of a vendor. `vendor`: as plainVendor gives it; `key`: its id, lower case. */
function isKeyOfVendor(vendor: string, key: string): boolean {
  return knownKeys.get(vendor.split(' ', 1)[0] ?? '')?.has(key) === true;
}
