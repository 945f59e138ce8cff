import type { HostDetail } from '@plimsoll/contract';
import { SearchX } from 'lucide-react';
import { ApiProblem } from '../../api/problem.ts';
import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { type TabSpec, Tabs } from '../../design/page/tabs.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { printable } from '../../design/text/printable.ts';
import { actionReason } from '../../words/action-reason.ts';
import { HostActionBadge } from '../../words/badges.tsx';
import {
  areFindingsKnown,
  areUpdatesKnown,
  countInWords,
  fixableFindings,
  unfixedOnlyInWords,
} from '../../words/knowledge.ts';
import { MakeEvidence } from '../evidence/make-evidence.tsx';
import { VulnerableTab } from './findings/vulnerable-tab.tsx';
import { HistoryTab } from './history/history-tab.tsx';
import styles from './host.module.css';
import { HostFacts } from './host-facts.tsx';
import { useHostId, useHostSearch, useOpenTab } from './host-search.ts';
import { KernelTab } from './kernel/kernel-tab.tsx';
import { HostNotices } from './notices/host-notices.tsx';
import { PackagesTab } from './packages/packages-tab.tsx';
import { PullNow } from './pulls/pull-now.tsx';
import { PullsTab } from './pulls/pulls-tab.tsx';
import { RepositoriesTab } from './repositories/repositories-tab.tsx';
import { SettingsTab } from './settings/settings-tab.tsx';
import { UpdatesTab } from './updates/updates-tab.tsx';
import { UploadsTab } from './uploads/uploads-tab.tsx';

/** One host: the recommended action first, then all its data. */
export function HostPage() {
  const id = useHostId();
  const [{ tab }] = useHostSearch();
  const query = useApi('/hosts/{id}', { params: { id } });
  if (query.error instanceof ApiProblem && query.error.status === 404) return <HostGone />;
  if (query.data === undefined) {
    return (
      <Page title="Host">
        <Panel title="At a glance">
          <Loaded query={query} what="Loading the host">
            {() => null}
          </Loaded>
        </Panel>
      </Page>
    );
  }
  const host = query.data;
  return (
    <Page
      key={id}
      title={`${printable(host.display_name, 80)} · ${tabWords(host, tab)}`}
      heading={
        <span className={styles['heading']}>
          <span className={styles['name']}>
            <ForeignText text={host.display_name} oneLine />
          </span>
          <HostActionBadge host={host} />
        </span>
      }
      lead={host.status === 'new' ? 'No report processed yet.' : actionReason(host, Date.now())}
      actions={
        <>
          <MakeEvidence subject={{ host: id }} words={`the host ${host.display_name}`} />
          {host.ssh !== null && host.approval_status === 'approved' && <PullNow id={id} />}
        </>
      }
    >
      <HostNotices host={host} />
      <Panel title="At a glance">
        <HostFacts host={host} />
      </Panel>
      <HostTabs host={host} />
    </Page>
  );
}

/** Also shown when the host is deleted while its page is open. */
function HostGone() {
  return (
    <Page title="Host">
      <Empty
        title="Host not found"
        icon={SearchX}
        action={
          <LinkButton to="/hosts" search={{}}>
            All hosts
          </LinkButton>
        }
      >
        The host was deleted, or the address is wrong.
      </Empty>
    </Page>
  );
}

/** The tabs of a host's page. */
function HostTabs({ host }: { readonly host: HostDetail }) {
  const [{ tab }] = useHostSearch();
  const open = useOpenTab();
  const tabs = tabsOf(host);
  return <Tabs label="Parts of the host" tabs={tabs} selected={openTab(tabs, tab)} onSelect={open} />;
}

/** Label of the tab in the address; of the first tab if it is missing or unknown. */
function tabWords(host: HostDetail, named: string | undefined): string {
  const tabs = tabsOf(host);
  return tabs.find(({ id }) => id === openTab(tabs, named))?.words ?? '';
}

function openTab(tabs: readonly TabSpec<string>[], named: string | undefined): string {
  return tabs.find(({ id }) => id === named)?.id ?? 'vulnerable';
}

function tabsOf(host: HostDetail): readonly TabSpec<string>[] {
  return [
    {
      id: 'vulnerable',
      words: 'Vulnerable',
      count: countInWords(fixableFindings(host), areFindingsKnown(host)),
      addition: unfixedOnlyInWords(host),
      content: () => <VulnerableTab host={host} />,
    },
    {
      id: 'updates',
      words: 'Updates',
      count: countInWords(host.available_updates, areUpdatesKnown(host)),
      content: () => <UpdatesTab host={host} />,
    },
    { id: 'kernel', words: 'Kernel and restarts', content: () => <KernelTab host={host} /> },
    { id: 'repositories', words: 'Repositories', content: () => <RepositoriesTab host={host} /> },
    { id: 'packages', words: 'All packages', content: () => <PackagesTab host={host} /> },
    { id: 'history', words: 'History', content: () => <HistoryTab host={host} /> },
    ...(host.ssh === null ? [] : [{ id: 'pulls', words: 'Pulls', content: () => <PullsTab host={host} /> }]),
    { id: 'uploads', words: 'Uploads', content: () => <UploadsTab host={host} /> },
    { id: 'settings', words: 'Settings', content: () => <SettingsTab host={host} /> },
  ];
}
