import { textSearch } from '../../shell/text-search.ts';
import type { HostQuery } from '../hosts/host-query.ts';

/** Most hosts that an address names by id. */
export const mostInAddress = 200;

/**
 * Reads the search parameters of the plans' page. `hosts`: ids with commas; `tags`: with commas; `filter`: the search
 * parameters of the hosts' page. The others are the options of POST /plans.
 */
export const plansSearch = textSearch('hosts', 'tags', 'filter', 'upgrades', 'versions', 'reboot', 'share');

/** The search parameters of the plans' page. */
export type PlansSearch = ReturnType<typeof plansSearch>;

/** The parameter `filter` for the filters of the hosts' page; its order does not matter to a plan. */
export function filterParameter(filters: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(filters).flatMap(([name, value]) =>
    name === 'sort' || value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? 'all' : new URLSearchParams(entries).toString();
}

const rebootActions: readonly unknown[] = ['reboot', 'reboot_urgent'];

/** The options with which the plan of a filtered list begins: with reboots, if it is a list of hosts to reboot. */
export function firstOptions({
  reboot_state,
  overall_action,
}: Pick<HostQuery, 'reboot_state' | 'overall_action'>): Pick<PlansSearch, 'reboot'> {
  return reboot_state === 'needed' || rebootActions.includes(overall_action) ? { reboot: 'true' } : {};
}
