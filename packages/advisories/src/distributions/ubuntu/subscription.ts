import type { Subscription } from '@plimsoll/model';

/** Services that deliver a service's fixes. `esm`: the advisory does not say which of the two. */
const alternatives: ReadonlyMap<string, readonly string[]> = new Map([
  ['esm', ['esm-infra', 'esm-apps']],
  ['fips', ['fips', 'fips-updates']],
]);

/** Whether a host is attached to Ubuntu Pro with a service enabled; false without subscription data. */
export function hasService(subscription: Subscription | null, service: string): boolean {
  if (subscription?.attached !== true) return false;
  return (alternatives.get(service) ?? [service]).some((name) => subscription.services.includes(name));
}
