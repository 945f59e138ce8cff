import type { Feed } from '@plimsoll/contract';

type Override = Feed['overrides'][number];

/** A corrected error of a feed: what is affected in truth, why, and whether the feed still has the error. */
export function overrideWords(override: Override): string {
  const { cve, package: name, release, reason, origin, statements } = override;
  const list = origin === 'operator' ? ' From your own list.' : '';
  const now = statements === 0 ? ' The feed has no such statement at present.' : '';
  return `${cve}, ${name} in ${release}: ${affectedWords(override)} ${reason}${list}${now}`;
}

function affectedWords({ affected_from: from, affected_before: before }: Override): string {
  if (from === null && before === null) return 'no version is affected.';
  const limits = [from === null ? '' : ` from ${from}`, before === null ? '' : ` below ${before}`];
  return `only versions${limits.join('')} are affected.`;
}
