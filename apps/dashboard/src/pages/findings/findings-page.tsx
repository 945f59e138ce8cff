import { download } from '../../api/download.ts';
import { DownloadButton } from '../../design/download-button.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { FindingFilters } from './finding-filters.tsx';
import { findingQueryOf, groupingIn } from './finding-query.ts';
import { FindingsList } from './findings-list.tsx';
import { useFindingsSearch } from './findings-search.ts';

const titles = {
  advisory: 'By advisory',
  cve: 'By CVE',
  package: 'By source package',
  host: 'By host',
} as const;

/** The findings of all approved hosts, grouped; what to do first comes first. */
export function FindingsPage() {
  const [search] = useFindingsSearch();
  const query = findingQueryOf(search);
  return (
    <Page
      title="Findings"
      lead="What is open on approved hosts. First what is due, then what is known to be exploited, then the worst."
      actions={<DownloadButton words="CSV" download={() => download('/findings.csv', { query })} />}
    >
      <Panel title={titles[groupingIn(search)]} flush>
        <FindingFilters />
        <FindingsList />
      </Panel>
    </Page>
  );
}
