import type { HostComparison } from '@plimsoll/contract';
import type { HostToAssess } from '@plimsoll/db';
import { compareText } from '@plimsoll/model';

type Repositories = NonNullable<HostComparison['repositories']>;

/** The enabled repositories of two hosts, by id, address and suite. */
export function compareRepositories(a: HostToAssess, b: HostToAssess): Repositories {
  const [one, other] = [enabledOf(a), enabledOf(b)];
  const only = (some: ReturnType<typeof enabledOf>, others: ReturnType<typeof enabledOf>) =>
    [...some].flatMap(([key, repository]) => (others.has(key) ? [] : [repository]));
  const onlyA = only(one, other);
  return { same: one.size - onlyA.length, only_a: onlyA, only_b: only(other, one) };
}

function enabledOf({ facts }: HostToAssess): ReadonlyMap<string, Repositories['only_a'][number]> {
  const enabled = facts.repositories.filter(({ enabled: isEnabled }) => isEnabled);
  const rows = enabled.map(
    ({ id, url, suite }) => [[id, url, suite].join('\0'), { id, url, suite }] as const,
  );
  return new Map(rows.toSorted(([x], [y]) => compareText(x, y)));
}
