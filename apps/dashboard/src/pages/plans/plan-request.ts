import type { RequestOf } from '../../api/client.ts';
import type { PlansSearch } from './plans-search.ts';

/** The body of POST /plans. */
export type PlanRequest = RequestOf<'post', '/plans'>['body'];

/** The request that an address stands for; null without a selection of hosts. The server checks its values. */
export function planRequestOf(search: PlansSearch): PlanRequest | null {
  const selection = selectionOf(search);
  if (selection === null) return null;
  const { upgrades, versions, reboot, share } = search;
  return {
    ...selection,
    ...(upgrades !== undefined && { upgrades }),
    ...(versions !== undefined && { versions }),
    ...(reboot === 'true' && { reboot: true }),
    ...(share !== undefined && { share: Number(share) }),
  } as PlanRequest; // text of an address
}

function selectionOf({ hosts, tags, filter }: PlansSearch): object | null {
  if (hosts !== undefined) return { hosts: hosts.split(',') };
  if (tags !== undefined) return { tags: listOf(tags) };
  if (filter === undefined) return null;
  return { filter: filter === 'all' ? {} : Object.fromEntries(new URLSearchParams(filter)) };
}

/** The entries of a list with commas. */
export function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
