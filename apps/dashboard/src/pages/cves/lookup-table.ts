import type { CveLookup } from '@plimsoll/contract';

/** One CVE of a look-up. */
export type LookedUpCve = CveLookup['cves'][number];

const columns = [
  'cve',
  'known_here',
  'known_exploited',
  'epss',
  'affected',
  'unknown',
  'fixed',
  'not_affected',
] as const;

/**
 * A look-up as lines of cells, the first one with the names. No cell can be a formula: ids, words and numbers only.
 * @param isKevKnown whether CISA KEV has data; without it, that a CVE is not listed means nothing
 */
export function lookupLines(
  cves: readonly LookedUpCve[],
  separator: ',' | '\t',
  isKevKnown: boolean,
): string {
  const lines = cves.map(({ id, known, known_exploited, epss, totals }) => [
    id,
    known ? 'yes' : 'no',
    known_exploited ? 'yes' : isKevKnown ? 'no' : 'not known',
    epss ?? '',
    totals.affected,
    totals.unknown,
    totals.fixed,
    totals.not_affected,
  ]);
  return [columns, ...lines].map((cells) => cells.join(separator)).join('\r\n');
}
