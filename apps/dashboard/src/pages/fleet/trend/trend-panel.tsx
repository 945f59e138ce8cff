import { useApi } from '../../../api/queries.ts';
import { Panel } from '../../../design/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { Trend } from './trend.tsx';

/** Days that are shown. */
const shownDays = 90;

/** Whether it is getting better. */
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
