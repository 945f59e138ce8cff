import type { FleetSummary } from '@plimsoll/contract';
import { Panel } from '../../design/page.tsx';
import { CoverageBadge } from '../../words/badges.tsx';
import { coverageWords } from '../../words/host-words.ts';
import { CountList } from './count-list.tsx';

const gaps = ['eol', 'none', 'stale', 'partial'] as const;

/** Hosts on which no findings does not mean no vulnerabilities. */
export function CoverageGaps({ fleet }: { readonly fleet: FleetSummary }) {
  return (
    <Panel title="Coverage gaps">
      <CountList
        allZero="Every installed package of every host can be checked."
        lines={gaps.map((coverage) => ({
          key: coverage,
          count: fleet.by_coverage[coverage],
          list: { coverage },
          what: <CoverageBadge coverage={coverage} />,
          meaning: coverageWords[coverage].meaning,
        }))}
      />
    </Panel>
  );
}
