import { isOfWrongClock } from './clock-ahead.ts';

/**
 * The work that the service repeats by itself, by name, with the seconds from the end of one run to the next; null: once at
 * each start of its process. The names are in `GET /system`, in metrics and in logs.
 */
export const roundSeconds = {
  // Of the scheduler.
  'follow the clock': 10,
  'pull due hosts': 2,
  'ring pulls again': 10,
  'ring uploads again': 10,
  'free held jobs': 60,
  'ring imports again': 2,
  'end expired waivers': 2,
  'give tags by changed rules': 2,
  'ring recounts again': 2,
  'count hosts past a due date': 10,
  'ring for repositories to judge': 2,
  'ring for reviews of repositories': 300,
  'ring for exposures to count': 30,
  'ring for conditions': 60,
  'ring notifications': 2,
  'judge hosts': 2,
  'learn patch rhythms': 2,
  'sync due feeds': 60,
  'note what feeds list': 600,
  'note the day': 300,
  'drop abandoned imports': 600,
  'drop ended sessions': 600,
  'drop expired invitations': 600,
  'drop expired downloads': 600,
  'drop expired rate limits': 600,
  'drop expired sign-ins': 600,
  'drop old days of the trend': 600,
  'drop old uploads': 600,
  'drop silent processes': 600,
  'drop unused repositories': 600,
  'drop ended deliveries': 600,
  'retire silent hosts': 3_600,
  'collect unused rows': 600,
  'post package sets': 10,
  'seal audit events': 2,
  'export audit events to a file': 2,
  'export audit events to syslog': 2,
  'drop old raw reports': 86_400,
  'drop old history': 86_400,
  'fold snapshots': 86_400,
  'drop ended exposures': 86_400,
  'drop old audit events': 86_400,
  // Of `plimsoll backup`. Expected without a setting, too: an installation without a backup is a warning.
  'back up': 86_400,
  // Of the notify-worker, whenever the scheduler rings for conditions.
  'compare conditions': 60,
  'compare findings of hosts': 60,
  'write due reports by mail': 60,
  // Of the report-worker.
  'read rejected reports again': null,
  // Of the advisory-worker.
  'count hosts of earlier changes': null,
  'apply changed rules': null,
  'end snoozed waivers': null,
} as const satisfies Record<string, number | null>;

/** The name of work that the service repeats. */
export type RoundName = keyof typeof roundSeconds;

/** Rounds that only run if a setting asks for them. */
const optionalRounds: readonly RoundName[] = [
  'export audit events to a file',
  'export audit events to syslog',
];

/** The rounds that every installation is expected to run. */
export const expectedRounds = (Object.keys(roundSeconds) as RoundName[]).filter(
  (name) => !optionalRounds.includes(name),
);

/** How the last runs of a round went. */
export interface RoundRuns {
  readonly name: string;
  /** Null: it never succeeded. */
  readonly lastOkAt: Date | null;
  /** Null: it never failed. */
  readonly lastError: { readonly at: Date; readonly message: string } | null;
}

/** `failing`: its last run failed. `late`: its last success is too long ago. `never`: it has not run yet. */
export const roundStates = ['failing', 'late', 'never', 'ok'] as const;

/** The state of a round. */
export type RoundState = (typeof roundStates)[number];

/** A round may take some time, and its success is stored once a minute. */
export const patienceSeconds = 600;

/** The state of a round at a time. A round with an unknown name is never late. */
export function roundState({ name, lastOkAt, lastError }: RoundRuns, now: Date): RoundState {
  if (lastError !== null && (lastOkAt === null || lastError.at > lastOkAt)) return 'failing';
  if (lastOkAt === null) return 'never';
  const seconds = name in roundSeconds ? roundSeconds[name as RoundName] : null;
  const latest = seconds === null ? Number.POSITIVE_INFINITY : 2 * seconds + patienceSeconds;
  const agoMs = now.getTime() - lastOkAt.getTime();
  return agoMs > latest * 1000 || isOfWrongClock(lastOkAt.getTime(), now.getTime()) ? 'late' : 'ok';
}
