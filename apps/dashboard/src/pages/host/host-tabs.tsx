import type { HostDetail } from '@plimsoll/contract';
import { type TabSpec, Tabs } from '../../design/tabs.tsx';
import { HistoryTab } from './history-tab.tsx';
import { KernelTab } from './kernel-tab.tsx';
import { PackagesTab } from './packages-tab.tsx';
import { PullsTab } from './pulls-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { UpdatesTab } from './updates-tab.tsx';
import { UploadsTab } from './uploads-tab.tsx';
import { useHostSearch, useOpenTab } from './use-host-search.ts';
import { VulnerableTab } from './vulnerable-tab.tsx';

/** Everything of a host, a part at a time. */
export function HostTabs({ host }: { readonly host: HostDetail }) {
  const [{ tab }] = useHostSearch();
  const open = useOpenTab();
  const tabs = tabsOf(host);
  const selected = tabs.find(({ id }) => id === tab)?.id ?? 'vulnerable';
  return <Tabs label="Parts of the host" tabs={tabs} selected={selected} onSelect={open} />;
}

function tabsOf(host: HostDetail): readonly TabSpec<string>[] {
  const { critical_count, important_count, moderate_count, low_count, unrated_count } = host;
  const fixable = critical_count + important_count + moderate_count + low_count + unrated_count;
  return [
    {
      id: 'vulnerable',
      words: 'Vulnerable',
      count: fixable,
      content: () => <VulnerableTab host={host} />,
    },
    {
      id: 'updates',
      words: 'Updates',
      count: host.available_updates,
      content: () => <UpdatesTab host={host} />,
    },
    { id: 'kernel', words: 'Kernel and restarts', content: () => <KernelTab host={host} /> },
    { id: 'packages', words: 'All packages', content: () => <PackagesTab host={host} /> },
    { id: 'history', words: 'History', content: () => <HistoryTab host={host} /> },
    ...(host.ssh === null ? [] : [{ id: 'pulls', words: 'Pulls', content: () => <PullsTab host={host} /> }]),
    { id: 'uploads', words: 'Uploads', content: () => <UploadsTab host={host} /> },
    { id: 'settings', words: 'Settings', content: () => <SettingsTab host={host} /> },
  ];
}
