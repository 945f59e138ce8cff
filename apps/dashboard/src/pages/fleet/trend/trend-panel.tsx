import { useApi } from '../../../api/queries.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { Trend } from './trend.tsx';

/** Number of days to show. */
const shownDays = 90;

/** The trend of the findings. */
export function TrendPanel() {
  const query = useApi('/fleet/trend', { query: { days: String(shownDays) } });
  return (
    <Panel title={`Findings over ${shownDays} days`}>
      <Loaded query={query} what="Loading the trend">
        {(days) => <Trend days={days} />}
      </Loaded>
    </Panel>
  );
}
