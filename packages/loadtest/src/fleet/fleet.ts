import type { InstalledPackage, Snapshot } from '@plimsoll/model';
import { type Archive, createArchive } from './archive.ts';
import { type Chance, createChance, hashText, mix } from './chance.ts';
import { assembleSnapshot } from './host-snapshot.ts';
import type { ModelHost } from './model-host.ts';
import type { Moment } from './moment.ts';
import { type Profile, profileOf, silentFrom } from './profile.ts';

/** The parameters of a fleet. Equal ones give equal fleets. */
export interface FleetOptions {
  readonly models: readonly ModelHost[];
  readonly hosts: number;
  readonly seed: number;
  /** The number of ways in which hosts are looked after. Host n has way n modulo this; default: at most 1,000. */
  readonly profiles?: number;
}

/** A fleet: what every host is at any moment, computed from its number, without a stored state. */
export interface Fleet {
  readonly hosts: number;
  readonly profiles: number;
  readonly models: readonly ModelHost[];
  /** The archive of a model by its position. */
  archive(model: number): Archive;
  hostname(host: number): string;
  /** 32 hexadecimal digits. */
  machineId(host: number): string;
  profile(host: number): Profile;
  /** Whether a host has stopped reporting by a day. */
  isSilent(host: number, day: number): boolean;
  /**
   * Whether a host was installed without a package of its model. Hosts below `profiles` have all packages; 59 of 100
   * others lack about one in 97, which is the share of own package sets that installations with configuration
   * management have.
   */
  lacks(host: number, packageName: string): boolean;
  /** The report of a host at a moment. Contents of two moments are equal if nothing changed in between. */
  snapshot(host: number, moment: Moment): Snapshot;
}

const ownSetsPercent = 59;
const mostProfiles = 1_000;
const jobs = ['web', 'db', 'mail', 'ci', 'backup', 'cache', 'proxy', 'app'];

/** The fleet of the options. */
export function createFleet({ models, hosts, seed, profiles = mostProfiles }: FleetOptions): Fleet {
  const chance = createChance(seed);
  const archives = models.map((model) => createArchive(model, chance));
  const count = Math.max(1, Math.min(profiles, hosts));
  const known: Profile[] = [];
  const archiveOf = (model: number): Archive => required(archives[model]);
  const fleet: Fleet = {
    hosts,
    profiles: count,
    models,
    archive: archiveOf,
    hostname: (host) => `${jobs[host % jobs.length]}-${String(host).padStart(6, '0')}.example.org`,
    machineId: (host) => machineIdOf(host, chance),
    profile(host) {
      const number = host % count;
      const profile = known[number] ?? profileOf(number, models.length, chance);
      known[number] = profile;
      return profile;
    },
    isSilent: (host, day) => day >= silentFrom(host, chance),
    lacks: (host, packageName) =>
      host >= count && isOwnSet(host, seed) && mix(mix(hashText(packageName), host), seed) % 97 === 0,
    snapshot(host, moment) {
      const profile = fleet.profile(host);
      const model = required(models[profile.model]);
      const archive = archiveOf(profile.model);
      const has = ({ name }: Pick<InstalledPackage, 'name'>) => !fleet.lacks(host, name);
      const identity = { hostname: fleet.hostname(host), machineId: fleet.machineId(host) };
      return assembleSnapshot({ identity, host, model, archive, profile, moment, has });
    },
  };
  return fleet;
}

function isOwnSet(host: number, seed: number): boolean {
  return mix(host, seed) % 100 < ownSetsPercent;
}

function machineIdOf(host: number, chance: Chance): string {
  const words = [0, 1, 2, 3].map((word) => Math.floor(chance('machine', host, word) * 2 ** 32));
  return words.map((word) => word.toString(16).padStart(8, '0')).join('');
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RangeError('the fleet has no such model');
  return value;
}
