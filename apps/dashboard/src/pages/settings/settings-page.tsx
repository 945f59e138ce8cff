import { useMay, useSession } from '../../api/session.ts';
import { Notice } from '../../design/notice.tsx';
import { Page } from '../../design/page/page.tsx';
import { type TabSpec, Tabs } from '../../design/page/tabs.tsx';
import { AuditTab } from './audit/audit-tab.tsx';
import { DueTab } from './due/due-tab.tsx';
import { EvidenceTab } from './evidence/evidence-tab.tsx';
import { FeedsTab } from './feeds/feeds-tab.tsx';
import { KeysTab } from './keys/keys-tab.tsx';
import { NotificationsTab } from './notifications/notifications-tab.tsx';
import { useOpenTab, useSettingsSearch } from './settings-search.ts';
import { SystemTab } from './system/system-tab.tsx';
import { TagsTab } from './tags/tags-tab.tsx';
import { TokensTab } from './tokens/tokens-tab.tsx';
import { UsersTab } from './users/users-tab.tsx';

interface SettingsTab extends TabSpec<string> {
  readonly role: 'viewer' | 'operator' | 'admin';
  /** Not for users who are limited to tags. */
  readonly fleetWide?: true;
}

const tabs: readonly SettingsTab[] = [
  { id: 'tokens', words: 'Registration tokens', role: 'operator', content: () => <TokensTab /> },
  { id: 'users', words: 'Users', role: 'admin', content: () => <UsersTab /> },
  { id: 'feeds', words: 'Feeds', role: 'viewer', content: () => <FeedsTab /> },
  { id: 'keys', words: 'API keys', role: 'viewer', content: () => <KeysTab /> },
  { id: 'tags', words: 'Tags', role: 'viewer', content: () => <TagsTab /> },
  { id: 'due', words: 'Due dates', role: 'viewer', content: () => <DueTab /> },
  {
    id: 'notifications',
    words: 'Notifications',
    role: 'operator',
    content: () => <NotificationsTab />,
  },
  { id: 'evidence', words: 'Evidence', role: 'viewer', content: () => <EvidenceTab /> },
  { id: 'audit', words: 'Audit log', role: 'admin', content: () => <AuditTab /> },
  { id: 'system', words: 'System', role: 'operator', fleetWide: true, content: () => <SystemTab /> },
];

/** The tabs of the settings that the user's role may see. */
export function SettingsPage() {
  const [{ tab }] = useSettingsSearch();
  const open = useOpenTab();
  const may = { viewer: useMay('viewer'), operator: useMay('operator'), admin: useMay('admin') };
  const isLimited = (useSession()?.user.tags ?? null) !== null;
  const seen = tabs.filter(({ role, fleetWide }) => may[role] && !(isLimited && fleetWide));
  const refused = tabs.find(({ id, role }) => id === tab && !may[role]);
  const selected = seen.find(({ id }) => id === tab)?.id ?? seen[0]?.id ?? 'feeds';
  const selectedWords = seen.find(({ id }) => id === selected)?.words ?? '';
  return (
    <Page title={`${selectedWords} · Settings`} heading="Settings">
      {refused !== undefined && (
        <Notice tone="neutral">
          <p>
            “{refused.words}” is only for {refused.role === 'admin' ? 'administrators' : 'operators'}. An
            administrator can change your role.
          </p>
        </Notice>
      )}
      <Tabs label="Parts of the settings" tabs={seen} selected={selected} onSelect={open} />
    </Page>
  );
}
