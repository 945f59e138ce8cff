import type { HostDetail } from '@plimsoll/contract';
import { type TabSpec, Tabs } from '../../design/page/tabs.tsx';
import {
  areFindingsKnown,
  areUpdatesKnown,
  countInWords,
  fixableFindings,
  unfixedOnlyInWords,
} from '../../words/knowledge.ts';
import { VulnerableTab } from './findings/vulnerable-tab.tsx';
import { HistoryTab } from './history/history-tab.tsx';
import { KernelTab } from './kernel/kernel-tab.tsx';
import { PackagesTab } from './packages/packages-tab.tsx';
import { PullsTab } from './pulls/pulls-tab.tsx';
import { RepositoriesTab } from './repositories/repositories-tab.tsx';
import { SettingsTab } from './settings/settings-tab.tsx';
import { UpdatesTab } from './updates/updates-tab.tsx';
import { UploadsTab } from './uploads/uploads-tab.tsx';
import { useHostSearch, useOpenTab } from './use-host-search.ts';

/** The tabs of a host's page. */
export function HostTabs({ host }: { readonly host: HostDetail }) {
  const [{ tab }] = useHostSearch();
  const open = useOpenTab();
  const tabs = tabsOf(host);
  return <Tabs label="Parts of the host" tabs={tabs} selected={openTab(tabs, tab)} onSelect={open} />;
}

/** Label of the tab in the address; of the first tab if it is missing or unknown. */
export function tabWords(host: HostDetail, named: string | undefined): string {
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
