import type { AffectedPackage } from '@plimsoll/model';
import { subscriptionLine } from '../../builds.ts';
import { bothCves, moreOpen } from '../../osv/read-packages.ts';

/** `1.2-3ubuntu0.1~esm2`, `2.4.52-1ubuntu4.7+esm1`. */
const esmVersion = /[+~]esm\d/;

/**
 * Whether a source version is marked as a build for subscribers of Ubuntu Pro. Not all such builds are
 * marked.
 */
export function isEsmBuild(sourceVersion: string): boolean {
  return esmVersion.test(sourceVersion);
}

/**
 * Combines the entry of a package for all users with the one for Ubuntu Pro, on `subscriptionLine`. Both
 * count if they state different fixes: builds of Ubuntu Pro are judged by their own entry, all others by the
 * one for all users. A single entry covers every build, and so does a fix of Ubuntu Pro whose version is not
 * marked, because the builds then cannot be distinguished.
 */
export function settleProEntries(packages: readonly AffectedPackage[]): readonly AffectedPackage[] {
  const everybodys = new Map<string, AffectedPackage>();
  const pros = new Map<string, AffectedPackage>();
  const others: AffectedPackage[] = [];
  for (const entry of packages) {
    if (entry.builds.line === null) everybodys.set(keyOf(entry), entry);
    else if (entry.builds.line === subscriptionLine) pros.set(keyOf(entry), entry);
    else others.push(entry);
  }
  const keys = new Set([...everybodys.keys(), ...pros.keys()]);
  return [...[...keys].flatMap((key) => settled(everybodys.get(key), pros.get(key))), ...others];
}

function keyOf({ release, name }: AffectedPackage): string {
  return `${release} ${name}`;
}

function settled(own: AffectedPackage | undefined, pro: AffectedPackage | undefined): AffectedPackage[] {
  if (pro === undefined) return own === undefined ? [] : [own];
  const forAll = { ...pro, builds: { ...pro.builds, line: null } };
  if (own === undefined) return [forAll];
  if (pro.fix.kind === 'unfixed')
    return own.fix.kind === 'unfixed' ? [{ ...own, fix: lessKnown(own.fix, pro.fix) }] : [own, pro];
  if (own.fix.kind === 'fixed') return own.fix.version === pro.fix.version ? [ofBoth(own, pro)] : [own, pro];
  return isEsmBuild(pro.fix.version) ? [own, pro] : [forAll];
}

type Unfixed = Extract<AffectedPackage['fix'], { kind: 'unfixed' }>;

function lessKnown(own: Unfixed, pro: Unfixed): Unfixed {
  if (own.isUnreadable === true) return own;
  return pro.isUnreadable === true ? pro : moreOpen(own, pro);
}

/** One entry for two of a notice with the same fix. */
function ofBoth({ cves: own, ...entry }: AffectedPackage, pro: AffectedPackage): AffectedPackage {
  const cves = bothCves(own, pro.cves);
  return cves.length === 0 ? entry : { ...entry, cves };
}
