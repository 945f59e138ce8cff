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

/** An empty list that only `fix`, `waived` and `negligible` filter, of a host whose findings are known. */
export interface NoneListed extends Pick<EmptyList, 'fix'> {
  /** Whether the host has waived findings, which the list leaves out. */
  readonly areWaivedLeftOut: boolean;
  /** Whether the list leaves negligible findings out; how many the host has is not known then. */
  readonly areNegligibleLeftOut: boolean;
  /** Whether zero findings without a fix is a known zero. */
  readonly areUnfixedKnown: boolean;
  /** Whether every installed package can be checked. */
  readonly isAllChecked: boolean;
}

/** What a filtered list leaves out besides what its filters say; empty: nothing. */
export function leftOutInWords({
  areWaivedLeftOut,
  areNegligibleLeftOut,
}: Pick<NoneListed, 'areWaivedLeftOut' | 'areNegligibleLeftOut'>): string {
  if (areWaivedLeftOut && areNegligibleLeftOut) return 'Waived and negligible ones are left out.';
  if (areWaivedLeftOut) return 'Waived ones are left out.';
  return areNegligibleLeftOut ? 'Negligible ones are left out.' : '';
}

/** Title of such a list: claims no more than what the list would show and what is known. */
export function noneListedInWords({
  fix,
  areWaivedLeftOut,
  areNegligibleLeftOut,
  ...known
}: NoneListed): string {
  const kind = kindOf(known.areUnfixedKnown ? fix : undefined);
  const waived = areWaivedLeftOut ? ' that is not waived' : '';
  const where = known.isAllChecked ? '' : ' in the packages that can be checked';
  return `No vulnerability${kind}${waived}${where}${areNegligibleLeftOut ? negligibleLeftOut : ''}`;
}

/** End of a title that says "none" of a list without negligible findings. */
export const negligibleLeftOut = ', negligible ones left out';

/** Whether an empty list may look calm: nothing that is known is left out of it, and zero is a known zero. */
export function isNoneCalm(
  { fix, areWaivedLeftOut, isAllChecked }: NoneListed,
  host: Pick<Host, 'gaps' | 'unfixed_count'>,
): boolean {
  const isUnfixedShown = fix === 'all' || (fix === undefined && host.unfixed_count === 0);
  return isAllChecked && !areWaivedLeftOut && isUnfixedShown && areUnfixedKnown(host);
}

/** Title of an empty list of the fleet's findings without filters. `isKnown`: whether zero is a known zero. */
export function noneOpenInWords(list: {
  readonly areWaivedLeftOut: boolean;
  readonly isKnown: boolean;
}): string {
  const waived = list.areWaivedLeftOut ? ' that are not waived' : '';
  return `No open findings${waived}${list.isKnown ? '' : ' are known'}${negligibleLeftOut}`;
}

/** Title of an empty list of a past time: names the list as partial if a filter leaves something out. */
export function noneThenInWords(
  filters: Readonly<
    Partial<
      Record<'severity' | 'fix' | 'exploited' | 'overdue' | 'waived' | 'negligible', string | undefined>
    >
  >,
): string {
  const { fix, waived, negligible, ...picked } = filters;
  const isEverything =
    fix === 'all' &&
    waived === 'true' &&
    negligible === 'true' &&
    Object.values(picked).every((filter) => filter === undefined);
  return isEverything ? 'No finding is listed' : 'No finding of this kind is listed';
}

/**
 * Text for zero findings with a fix where those are known: of all packages only if each can be checked, and of all findings
 * only if those without a fix are known, too. Names what the counts leave out.
 */
export function noneFoundInWords(host: Pick<Host, 'gaps' | 'unknown_count' | 'waived_count'>): string {
  const leftOut = `${host.waived_count > 0 ? 'waived and ' : ''}negligible left out`;
  const where = host.unknown_count > 0 ? ' in checked packages' : '';
  return `${areUnfixedKnown(host) ? 'None' : 'None with a fix'}${where}, ${leftOut}`;
}

/** Text for hosts that an advisory affects only as negligible, with where to find them. @param cves the number of its CVEs */
export function negligibleHostsInWords(cves: number): string {
  const where =
    cves === 0
      ? 'the findings of each host have them with “Include negligible” and “With or without a fix”'
      : cves === 1
        ? 'the page of its CVE has them'
        : 'the pages of its CVEs have them';
  return `Hosts that it affects only as negligible are not counted; ${where}.`;
}
