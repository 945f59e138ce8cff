/** How much older than the newest known copy a copy may be. */
export interface LagRules {
  readonly defaultDays: number;
  readonly exceptions: readonly LagException[];
}

/** Another number of days for a repository, for hosts with a tag, or for both. Null: any. */
export interface LagException {
  /** A repository's suite or id, optionally preceded by its Origin and a slash: `Ubuntu/noble-security`. */
  readonly repository: string | null;
  readonly tag: string | null;
  readonly days: number;
}

/**
 * The days that a host's copy may be behind. Exceptions with repository and tag come first, then those with a tag,
 * then those with a repository; among equals the highest number of days applies, because a host in two rings follows
 * the slower one.
 */
export function maxLagDays(
  rules: LagRules,
  copy: { readonly origin: string; readonly suite: string; readonly source: string },
  tags: readonly string[],
): number {
  const names = [copy.suite, copy.source, `${copy.origin}/${copy.suite}`];
  const matching = rules.exceptions.filter(
    ({ repository, tag }) =>
      (repository === null || names.includes(repository)) && (tag === null || tags.includes(tag)),
  );
  const rank = ({ repository, tag }: LagException) => (tag === null ? 0 : 2) + (repository === null ? 0 : 1);
  const best = Math.max(...matching.map(rank));
  const days = matching.filter((exception) => rank(exception) === best).map((exception) => exception.days);
  return days.length === 0 ? rules.defaultDays : Math.max(...days);
}

const exceptionForm = /^([^@=]+)?(?:@([^@=]+))?=(\d{1,4})$/;

/**
 * Parses `REPOSITORY@TAG=DAYS`, where one of the two can be absent: `noble-security=3`, `@ring-2=30`. Null if invalid.
 */
export function parseLagException(text: string): LagException | null {
  const [, repository = null, tag = null, days] = exceptionForm.exec(text) ?? [];
  if (days === undefined || (repository === null && tag === null)) return null;
  return { repository, tag, days: Number(days) };
}
