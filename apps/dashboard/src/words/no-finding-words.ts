import type { Host } from '@plimsoll/contract';
import { areUnfixedKnown } from './knowledge.ts';

/** The filters of an empty list of findings. */
export interface EmptyList {
  /** As in the address: `unfixed` or `all`; otherwise findings with a fix. */
  readonly fix: string | undefined;
  readonly isFiltered: boolean;
}

/** Text for an empty list while findings are not known: names the kind that is not listed and never says "none". */
export function notListedInWords({ fix, isFiltered }: EmptyList): string {
  const kind = fix === 'unfixed' ? ' without a fix' : fix === 'all' ? '' : ' with a fix';
  return isFiltered
    ? `No finding${kind} that matches the filters is listed, but there may be some.`
    : `No finding${kind} is listed, but there may be some.`;
}

/**
 * Text for zero findings with a fix where those are known. `None` only if the findings without a fix are known, too.
 */
export function noneFoundInWords(host: Pick<Host, 'gaps' | 'unknown_count'>): string {
  if (host.unknown_count > 0) return 'None in checked packages';
  return areUnfixedKnown(host) ? 'None' : 'None with a fix';
}
