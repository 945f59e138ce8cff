import { Page, Panel } from '../../design/page/page.tsx';
import { RepositoryList } from './repository-list.tsx';

/** The repositories of approved hosts, and which of them are outdated on hosts. */
export function RepositoriesPage() {
  return (
    <Page
      title="Repositories"
      lead="Find the repositories of approved hosts whose copies are older than the newest known one."
    >
      <Panel title="Repositories in the fleet" flush>
        <RepositoryList />
      </Panel>
    </Page>
  );
}
