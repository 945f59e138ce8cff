import type { Chance } from './chance.ts';

/** How a group of hosts is looked after. Periods are in days; Infinity: never. */
interface Rhythm {
  /** The share of hosts in the group. */
  readonly share: number;
  readonly name: string;
  /** Between two installations of the waiting security updates. */
  readonly security: number;
  /** Between two installations of all waiting updates. */
  readonly all: number;
  readonly reboot: number;
}

const never = Number.POSITIVE_INFINITY;

/** The groups of a fleet: unattended updates, maintenance windows of three kinds, and forgotten hosts. */
export const rhythms: readonly Rhythm[] = [
  { share: 0.3, name: 'unattended', security: 1, all: 7, reboot: 14 },
  { share: 0.3, name: 'weekly', security: 7, all: 7, reboot: 28 },
  { share: 0.25, name: 'monthly', security: 28, all: 28, reboot: 28 },
  { share: 0.1, name: 'quarterly', security: 91, all: 91, reboot: 91 },
  { share: 0.05, name: 'forgotten', security: never, all: never, reboot: never },
];

/** The share of hosts whose mirror lags, and by how many days. */
const lagging = { share: 0.1, days: 14 };
/** The share of hosts that stop reporting one day within the first year. */
const silentShare = 0.02;

/** What hosts that are installed and run alike have in common. */
export interface Profile {
  /** Position among the models of the fleet. */
  readonly model: number;
  readonly rhythm: Rhythm;
  /** Shifts all periods, in days. */
  readonly phase: number;
  /** The number of days by which the repositories of its hosts are behind. */
  readonly lagDays: number;
}

/** The profile with a number, from 0; the models take turns. */
export function profileOf(number: number, models: number, chance: Chance): Profile {
  const rhythm = rhythmOf(chance('rhythm', number));
  return {
    model: number % models,
    rhythm,
    phase: Number.isFinite(rhythm.all) ? Math.floor(chance('phase', number) * rhythm.all) : 0,
    lagDays: chance('lag', number) < lagging.share ? lagging.days : 0,
  };
}

/** The day from which a host does not report; Infinity for most. The first host always reports. */
export function silentFrom(host: number, chance: Chance): number {
  if (host === 0 || chance('silent', host) >= silentShare) return Number.POSITIVE_INFINITY;
  return 1 + Math.floor(chance('silent from', host) * 365);
}

function rhythmOf(drawn: number): Rhythm {
  let rest = drawn;
  for (const rhythm of rhythms) {
    if (rest < rhythm.share) return rhythm;
    rest -= rhythm.share;
  }
  return rhythms[0] as Rhythm; // The list is not empty.
}

/** The last day, up to `day`, at which something with a period happened; -Infinity if it never happens. */
export function lastTurn(period: number, phase: number, day: number): number {
  if (!Number.isFinite(period)) return Number.NEGATIVE_INFINITY;
  const since = (((day - phase) % period) + period) % period;
  return day - since;
}
