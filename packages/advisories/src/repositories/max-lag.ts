/** How much older than the newest known copy a repository may be. */
export interface LagRules {
  readonly defaultDays: number;
  readonly exceptions: readonly LagException[];
}

/** Another number of days for a repository, for hosts with a tag, or for both together. Null: any. */
export interface LagException {
  /** A repository's suite or id, with its Origin and a slash before it where that matters: `Ubuntu/noble-security`. */
  readonly repository: string | null;
  readonly tag: string | null;
  readonly days: number;
}

/**
 * How many days a host's copy may be behind. What names both repository and tag comes first, then what names a tag, then
 * what names a repository; of several alike the most days count, because a host of two rings follows the slower one.
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

/** Reads `REPOSITORY@TAG=DAYS`, where one of the two may be left out: `noble-security=3`, `@ring-2=30`. Null: not so. */
export function parseLagException(text: string): LagException | null {
  const [, repository = null, tag = null, days] = exceptionForm.exec(text) ?? [];
  if (days === undefined || (repository === null && tag === null)) return null;
  return { repository, tag, days: Number(days) };
}
