import type { FleetSummary } from '@plimsoll/contract';
import { gapOrder, gapWords } from '@plimsoll/words';
import { Panel } from '../../design/page/page.tsx';
import { GapBadge } from '../../words/badges.tsx';
import { CountList } from './count-list.tsx';
import styles from './fleet.module.css';

/** Reasons why the numbers may be too low, each with its number of hosts. */
export function KnowledgeGaps({ fleet }: { readonly fleet: FleetSummary }) {
  const found = gapOrder.filter((gap) => fleet.by_gap[gap] > 0);
  const lastOfSilent = found.includes('report_outdated') ? 'report_outdated' : 'no_report';
  return (
    <Panel title="What is not known">
      <CountList
        allZero="Every host reported everything, and every package was checked."
        lines={found.map((gap) => ({
          key: gap,
          count: fleet.by_gap[gap],
          list: { gap },
          what: <GapBadge gap={gap} />,
          meaning: gapWords[gap].meaning,
        }))}
      />
      {found.includes('no_report') && (
        <p className={styles['counting']}>
          The lines below “{gapWords[lastOfSilent].words}” do not count hosts without a report.
        </p>
      )}
    </Panel>
  );
}
