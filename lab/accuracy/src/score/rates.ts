import type { GroupFigures } from './figures.ts';

/** Precision, recall and F1 of a group, 0 to 1. */
export interface Rates {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** The share of packages without a verdict that a group may have. */
export const undecidedLimit = 0.1;

/** The rates with the oracle's answer as the truth; null: no oracle of the group compares lines. */
export function ratesOf({ agreed, missing, extra }: GroupFigures): Rates | null {
  return rates(agreed, missing, extra);
}

/** The rates without reviewed differences; null as above. */
export function reviewedRatesOf({ agreed, openMissing, openExtra }: GroupFigures): Rates | null {
  return rates(agreed, openMissing, openExtra);
}

/** The share of a group's packages without a verdict; null: it has no package. */
export function undecidedShareOf({ packages, undecided }: GroupFigures): number | null {
  return packages === 0 ? null : undecided / packages;
}

function rates(agreed: number, missing: number, extra: number): Rates | null {
  if (agreed + missing + extra === 0) return null;
  const share = (of: number) => (of === 0 ? 0 : agreed / of);
  return {
    precision: share(agreed + extra),
    recall: share(agreed + missing),
    f1: (2 * agreed) / (2 * agreed + missing + extra),
  };
}
