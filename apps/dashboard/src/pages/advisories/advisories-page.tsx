import { Page, Panel } from '../../design/page/page.tsx';
import { useAdvisoriesSearch } from './advisories-search.ts';
import { AdvisoryFilters } from './advisory-filters.tsx';
import { AdvisoryList } from './advisory-list.tsx';

/** List of advisories and the hosts that they affect. */
export function AdvisoriesPage() {
  const [{ affecting }] = useAdvisoriesSearch();
  return (
    <Page title="Advisories" lead="Advisories published by vendors, and the approved hosts that they affect.">
      <Panel title={affecting === 'false' ? 'All advisories' : 'Affecting my hosts'} flush>
        <AdvisoryFilters />
        <AdvisoryList />
      </Panel>
    </Page>
  );
}
