import type { Host } from '@plimsoll/contract';
import { areUnfixedKnown } from './knowledge.ts';

/** The filters of an empty list of findings. */
export interface EmptyList {
  /** As in the address: `unfixed`, `all`, or undefined for findings with a fix. */
  readonly fix: string | undefined;
  readonly isFiltered: boolean;
}

function kindOf(fix: EmptyList['fix']): string {
  if (fix === undefined) return ' with a fix';
  return fix === 'unfixed' ? ' without a fix' : '';
}

/** Text for an empty list while findings are not known: names the kind that is not listed and never says "none". */
export function notListedInWords({ fix, isFiltered }: EmptyList): string {
  const kind = kindOf(fix);
  return isFiltered
    ? `No finding${kind} that matches the filters is listed, but there may be some.`
    : `No finding${kind} is listed, but there may be some.`;
}

/** An empty list that only `fix` and `waived` filter, of a host whose findings are known. */
export interface NoneListed extends Pick<EmptyList, 'fix'> {
  /** Whether the host has waived findings, which the list leaves out. */
  readonly areWaivedLeftOut: boolean;
  /** Whether zero findings without a fix is a known zero. */
  readonly areUnfixedKnown: boolean;
  /** Whether every installed package can be checked. */
  readonly isAllChecked: boolean;
}

/** Title of such a list: claims no more than what the list would show and what is known. */
export function noneListedInWords({ fix, areWaivedLeftOut, ...known }: NoneListed): string {
  const kind = kindOf(known.areUnfixedKnown ? fix : undefined);
  const waived = areWaivedLeftOut ? ' that is not waived' : '';
  return `No vulnerability${kind}${waived}${known.isAllChecked ? '' : ' in the packages that can be checked'}`;
}

/**
 * Text for zero findings with a fix where those are known. `None` only if the findings without a fix are known, too.
 */
export function noneFoundInWords(host: Pick<Host, 'gaps' | 'unknown_count'>): string {
  if (host.unknown_count > 0) return 'None in checked packages';
  return areUnfixedKnown(host) ? 'None' : 'None with a fix';
}
