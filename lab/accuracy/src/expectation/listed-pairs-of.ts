import type { Finding, FindingAdvisory } from '@plimsoll/advisories';
import { allFindings, type Evaluation } from '../evaluation.ts';
import { evrText } from './evr-text.ts';
import { type ListedPair, pairKey } from './listed-pair.ts';
import type { ExpectedList } from './read-expected.ts';

/** Selects and formats our findings for a comparison. */
export interface Listing extends Pick<ExpectedList, 'lists' | 'build'> {
  /** `fixed`: without unfixed and hidden findings. */
  readonly of: 'all' | 'fixed';
}

/** Our answer in the form of the expectation, without repeated lines. */
export function listedPairsOf(evaluation: Evaluation, listing: Listing): readonly ListedPair[] {
  const pairs = allFindings(evaluation).flatMap((finding) =>
    finding.advisories
      .filter(({ statement: { fix, severity } }) => {
        return listing.of === 'all' || (fix.kind === 'fixed' && severity !== 'none');
      })
      .flatMap((advisory) => pairsOf(finding, advisory, listing)),
  );
  return [...new Map(pairs.map((pair) => [pairKey(pair), pair])).values()];
}

function pairsOf(
  { name, architecture }: Finding,
  { statement, fixState }: FindingAdvisory,
  { lists, build }: Listing,
): readonly ListedPair[] {
  const { externalId, cves, severity, fix } = statement;
  const version = fix.kind === 'fixed' ? evrText(fix.version) : '';
  const pair = {
    package: name,
    build: build === 'none' ? '' : build === 'fixed_version' ? version : `${version}.${architecture}`,
    severity,
    fixState,
  };
  const ids = lists === 'advisories' || cves.length === 0 ? [externalId] : cves;
  return ids.map((id) => ({ id, ...pair }));
}
