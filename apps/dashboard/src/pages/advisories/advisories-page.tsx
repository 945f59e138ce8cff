import { Page, Panel } from '../../design/page.tsx';
import { AdvisoryFilters } from './advisory-filters.tsx';
import { AdvisoryList } from './advisory-list.tsx';
import { useAdvisoriesSearch } from './use-advisories-search.ts';

/** What vendors publish, and whom it concerns here. */
export function AdvisoriesPage() {
  const [{ affecting }] = useAdvisoriesSearch();
  return (
    <Page
      title="Advisories"
      lead="What vendors say about packages, and which of your approved hosts it concerns."
    >
      <Panel title={affecting === 'false' ? 'All advisories' : 'Affecting my hosts'} flush>
        <AdvisoryFilters />
        <AdvisoryList />
      </Panel>
    </Page>
  );
}
