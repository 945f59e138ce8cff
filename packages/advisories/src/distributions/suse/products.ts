import type { OsvPlace } from '../../osv/dialect.ts';
import { packageHub } from '../../rpm/add-on.ts';
import { type RpmFamily, rpmRelease } from '../../rpm/rpm-family.ts';
import { openSuseFamily, suseFamily, tumbleweed } from './suse.ts';

/** Longer names are not products of SUSE. */
const maxNameCharacters = 120;
/** `SUSE Linux Enterprise Module for Basesystem 15 SP5`, `SUSE Linux Enterprise Server 12 SP5-LTSS`, `SUSE Linux Micro 6.1`. */
const enterprise =
  /^SUSE Linux (?:Enterprise|Micro)\b.*?\s(\d{1,2})(?:\.(\d{1,2})|\s?SP(\d{1,2}))?(?:[- ][A-Z][A-Za-z0-9 -]*)?$/;
const hub = /^SUSE Package Hub (\d{1,2})(?:\.(\d{1,2})|\s?SP(\d{1,2}))?$/;
const leap = /^openSUSE Leap (\d{1,2}\.\d{1,2})$/;
/** Subscriptions for builds after general support, and for one kind of machine. */
const subscription = /ltss|espos|teradata|-bcl\b/i;
/** Modules of SUSE Linux Enterprise 12 have no service pack: they apply to all of them. */
const forServicePacks = /^SUSE (?:Linux Enterprise Module for|Package Hub) .*?(\d{1,2})$/;

/**
 * The releases to which a product of SUSE ships packages: the release of its service pack, or every service
 * pack for a module of 12. Packages of Package Hub have their own line. Empty for products outside the
 * distributions, such as SUSE Manager.
 */
export function placesOfProduct(name: string): readonly OsvPlace[] {
  if (name.length > maxNameCharacters) return [];
  if (name === 'openSUSE Tumbleweed') return placesIn(openSuseFamily, [tumbleweed]);
  const number = leap.exec(name)?.[1];
  if (number !== undefined) return placesIn(openSuseFamily, [number]);
  const [, hubMajor, hubMinor, hubPack] = hub.exec(name) ?? [];
  if (hubMajor !== undefined)
    return placesIn(suseFamily, numbersOf(name, hubMajor, hubMinor ?? hubPack), { line: packageHub.line });
  const [, major, minor, servicePack] = enterprise.exec(name) ?? [];
  if (major === undefined) return [];
  const service = subscription.test(name) ? 'ltss' : null;
  return placesIn(suseFamily, numbersOf(name, major, minor ?? servicePack), { service });
}

function numbersOf(name: string, major: string, minor: string | undefined): readonly string[] {
  if (minor !== undefined) return [`${major}.${minor}`];
  if (major !== '12' || !forServicePacks.test(name)) return [major];
  return [...suseFamily.lastDays.keys()].filter((number) => number.split('.', 1)[0] === major);
}

function placesIn(
  family: RpmFamily,
  numbers: readonly string[],
  { service = null, line = null }: Partial<Pick<OsvPlace, 'service' | 'line'>> = {},
): readonly OsvPlace[] {
  return numbers.flatMap((number) => {
    const release = rpmRelease(family, number);
    return release === null ? [] : [{ release, service, line }];
  });
}
