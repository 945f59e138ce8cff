import { groupedNumber } from '../../design/number-words.ts';

/** Whole hours as hours up to three days, then as days with one decimal: `5 h`, `4.5 days`. Null: `–`. */
export function hoursWords(hours: number | null): string {
  if (hours === null) return '–';
  if (hours < 72) return `${hours} h`;
  const days = Math.ceil((hours / 24) * 10) / 10;
  return `${days} days`;
}

/** A share with its numbers: `96 of 112 (85.7%)`; `–` of none. */
export function cohortWords({ closed, of }: { readonly closed: number; readonly of: number }): string {
  if (of === 0) return '–';
  return `${groupedNumber(closed)} of ${groupedNumber(of)} (${shareWords(closed / of)})`;
}

/** A share as a percentage, rounded down, so that only all is 100 %. Null: `–`. */
export function shareWords(share: number | null): string {
  if (share === null) return '–';
  return `${(Math.floor(share * 1000 + 1e-9) / 10).toFixed(1)}%`;
}
