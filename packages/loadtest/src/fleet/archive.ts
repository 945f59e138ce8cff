import type { Upgrade } from '@plimsoll/model';
import type { Chance } from './chance.ts';
import type { ModelHost } from './model-host.ts';
import { nextBuild } from './next-build.ts';

/** The first day with builds; day 0 is the first of a fleet. Until then hosts have the versions of their model. */
export const firstDay = -60;

/** One build of a source package. */
export interface Build {
  readonly day: number;
  readonly isSecurity: boolean;
}

/** The versions of a binary package that one build of its source brings. */
export interface BuiltVersion {
  readonly version: string;
  readonly sourceVersion: string;
}

/** The builds that a model's distribution publishes over time. Days are whole and may be any number. */
export interface Archive {
  /** The builds of a source package up to a day, oldest first. */
  buildsOf(source: string, until: number): readonly Build[];
  /** The versions of the model's package `index` after `builds` builds; 0 builds: those of the model. */
  versionOf(index: number, builds: number): BuiltVersion;
}

/**
 * Mean days between two builds of a source package, and the share of sources with this mean. In Debian 12 a machine
 * with 700 packages gets two to three updated sources a week.
 */
const paces = [
  { share: 0.06, days: 45 },
  { share: 0.24, days: 200 },
  { share: 0.7, days: 900 },
] as const;
const securityShare = 0.7;

/**
 * The archive of a model: its first builds are the updates that the real machine was offered, the following ones are
 * numbered like builds of a security team. All binary packages of a source move together.
 */
export function createArchive({ name, snapshot }: ModelHost, chance: Chance): Archive {
  const { packages, platform } = snapshot;
  const offered = new Map(snapshot.upgrades.map((upgrade) => [keyOf(upgrade), upgrade]));
  const offeredSources = new Set(
    packages.filter((one) => offered.has(keyOf(one))).map(({ sourceName }) => sourceName),
  );
  const builds = new Map<string, Build[]>();
  const versions = packages.map((one): BuiltVersion[] => [
    { version: one.version, sourceVersion: one.sourceVersion },
  ]);

  const nextOf = (source: string, at: number, before: Build | undefined): Build => {
    const isSecurity = chance(name, source, 'security', at) < securityShare;
    // What the real machine was offered is published around the first day.
    if (before === undefined && offeredSources.has(source))
      return { day: firstDay + Math.floor(chance(name, source, 'offered') * 75), isSecurity };
    const wait = -paceOf(name, source, chance) * Math.log(1 - chance(name, source, 'wait', at));
    return { day: (before?.day ?? firstDay) + 1 + Math.floor(wait), isSecurity };
  };

  return {
    buildsOf(source, until) {
      const list = builds.get(source) ?? [];
      builds.set(source, list);
      // One build beyond the day shows that all earlier ones are known.
      while ((list.at(-1)?.day ?? Number.NEGATIVE_INFINITY) <= until)
        list.push(nextOf(source, list.length, list.at(-1)));
      return list.slice(
        0,
        list.findIndex(({ day }) => day > until),
      );
    },
    versionOf(index, count) {
      const known = versions[index];
      const installed = packages[index];
      if (known === undefined || installed === undefined) throw new RangeError(`no package ${index}`);
      for (let last = known.at(-1); last !== undefined && known.length <= count; last = known.at(-1)) {
        const real = known.length === 1 ? offered.get(keyOf(installed)) : undefined;
        known.push({
          version: real?.candidateVersion ?? nextBuild(last.version, platform),
          sourceVersion: real?.sourceVersion ?? nextBuild(last.sourceVersion, platform),
        });
      }
      return known[count] ?? { version: installed.version, sourceVersion: installed.sourceVersion };
    },
  };
}

function keyOf({ name, architecture }: Pick<Upgrade, 'name' | 'architecture'>): string {
  return `${name} ${architecture}`;
}

function paceOf(model: string, source: string, chance: Chance): number {
  let drawn = chance(model, source, 'pace');
  for (const { share, days } of paces) {
    if (drawn < share) return days;
    drawn -= share;
  }
  return paces[2].days;
}
