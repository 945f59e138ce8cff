import type { Host } from '@plimsoll/contract';
import { areUnfixedKnown } from './knowledge.ts';

/** What a list of findings without a row shows: which kind of fix, and whether filters leave rows out. */
export interface EmptyList {
  /** As the address has it: `unfixed`, `all`; else findings that have a fix. */
  readonly fix: string | undefined;
  readonly isFiltered: boolean;
}

/** What an empty list means where findings are not known: names the kind that is not listed, and never says none. */
export function notListedInWords({ fix, isFiltered }: EmptyList): string {
  const kind = fix === 'unfixed' ? ' without a fix' : fix === 'all' ? '' : ' with a fix';
  return isFiltered
    ? `No finding${kind} that matches the filters is listed, but there may be some.`
    : `No finding${kind} is listed, but there may be some.`;
}

/** What zero findings with a fix mean on a host whose findings with a fix are known: `None` only where all are. */
export function noneFoundInWords(host: Pick<Host, 'gaps' | 'unknown_count'>): string {
  if (host.unknown_count > 0) return 'None in checked packages';
  return areUnfixedKnown(host) ? 'None' : 'None with a fix';
}
