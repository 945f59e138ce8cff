import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import {
  Boxes,
  CalendarCheck,
  CalendarClock,
  Clock,
  Gauge,
  Layers,
  Library,
  ListChecks,
  LogOut,
  Menu,
  Monitor,
  Moon,
  Plus,
  ScanSearch,
  Server,
  Settings,
  ShieldAlert,
  ShieldOff,
  Sun,
  Timer,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { useLiveUpdates } from '../api/live-updates.ts';
import { useApi } from '../api/queries.ts';
import { session, useMay, useSession } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { groupedNumber } from '../design/number-words.ts';
import { ForeignText } from '../design/text/foreign-text.tsx';
import { setExactTimes, useExactTimes } from '../design/time/exact-times.ts';
import { Toasts } from '../design/toasts.tsx';
import { approvedOf } from '../pages/groups/approved-of-group.ts';
import { unseenGroup, useIsUnseen } from '../pages/groups/unseen-group.ts';
import { ProveAgain } from './prove-again.tsx';
import { SearchButton, SearchEverywhere } from './search/search-everywhere.tsx';
import styles from './shell.module.css';
import { setTheme, themes, useTheme } from './theme.ts';
import { noteChangesSeen, useHasUnseenChanges } from './unseen-changes.ts';

const pages = [
  { to: '/', words: 'Fleet', icon: Gauge, role: 'viewer' },
  { to: '/hosts', words: 'Hosts', icon: Server, role: 'viewer' },
  { to: '/findings', words: 'Findings', icon: ListChecks, role: 'viewer' },
  { to: '/waivers', words: 'Waivers', icon: ShieldOff, role: 'viewer' },
  { to: '/groups', words: 'Groups', icon: Layers, role: 'viewer' },
  { to: '/advisories', words: 'Advisories', icon: ShieldAlert, role: 'viewer' },
  { to: '/cves', words: 'CVEs', icon: ScanSearch, role: 'viewer' },
  { to: '/packages', words: 'Packages', icon: Boxes, role: 'viewer' },
  { to: '/plans', words: 'Patch windows', icon: CalendarCheck, role: 'viewer' },
  { to: '/repositories', words: 'Repositories', icon: Library, role: 'viewer' },
  { to: '/time-to-patch', words: 'Time to patch', icon: Timer, role: 'viewer' },
  { to: '/add-hosts', words: 'Add hosts', icon: Plus, role: 'operator' },
  { to: '/settings', words: 'Settings', icon: Settings, role: 'viewer' },
] as const;

/** Pages that the search finds beside those of the menu. */
const morePages = [
  { to: '/account', words: 'Account' },
  { to: '/changes', words: 'What changed' },
];

/** The frame of every page with a session. */
export function Shell() {
  const [isOpen, setIsOpen] = useState(false);
  const [isSearching, setIsSearching] = useState(false);
  const isOperator = useMay('operator');
  const offered = pages.filter(({ role }) => role === 'viewer' || isOperator);
  const search = () => setIsSearching(true);
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  // Keyboard and screen reader start at the top of a new page.
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    setIsOpen(false);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <header className={styles['topBar']}>
        <Brand />
        <div>
          <SearchButton isShort onPress={search} />
          <Button
            icon
            look="quiet"
            aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
            aria-expanded={isOpen}
            onPress={() => setIsOpen(!isOpen)}
          >
            <Menu aria-hidden />
          </Button>
        </div>
      </header>
      <Side isOpen={isOpen} offered={offered} onSearch={search} />
      <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
        <Upgraded />
        <Outlet />
      </main>
      <SearchEverywhere isOpen={isSearching} onOpen={setIsSearching} pages={[...offered, ...morePages]} />
      <ProveAgain />
      <Toasts />
    </div>
  );
}

/** After an upgrade, until the user has seen what changed. */
function Upgraded() {
  if (!useHasUnseenChanges()) return null;
  return (
    <div className={styles['upgraded']}>
      <Notice tone="neutral">
        <div>
          Plimsoll was upgraded. <Link to="/changes">See what changed</Link>{' '}
          <Button look="quiet" onPress={noteChangesSeen}>
            Dismiss
          </Button>
        </div>
      </Notice>
    </div>
  );
}

function Brand() {
  return (
    <Link to="/" className={styles['brand'] ?? ''}>
      <img src="/plimsoll.svg" alt="" />
      Plimsoll
    </Link>
  );
}

interface SideProps {
  readonly isOpen: boolean;
  readonly offered: readonly (typeof pages)[number][];
  readonly onSearch: () => void;
}

function Side({ isOpen, offered, onSearch }: SideProps) {
  return (
    <aside aria-label="Menu" className={`${styles['side']} ${isOpen ? styles['open'] : ''}`}>
      <Brand />
      <SearchButton isShort={false} onPress={onSearch} />
      <nav aria-label="Pages">
        <ul className={styles['nav']}>
          {offered.map(({ to, words, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={styles['link'] ?? ''}
                activeOptions={{ exact: to === '/', includeSearch: false }}
              >
                <Icon aria-hidden />
                {words}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <GroupLinks />
      <div className={styles['foot']}>
        <Live />
        <Account />
      </div>
    </aside>
  );
}

/** Groups in the menu; the page of groups has all. */
const shownGroups = 12;

/** The saved selections of hosts, each a link to its hosts. */
function GroupLinks() {
  const { data: groups = [] } = useApi('/groups');
  const isUnseen = useIsUnseen();
  const countOf = (hosts: number | null) =>
    hosts === null ? '?' : isUnseen({ hosts }) ? unseenGroup.shown : groupedNumber(hosts);
  if (groups.length === 0) return null;
  return (
    <nav aria-label="Groups" className={styles['groups']}>
      <ul className={styles['nav']}>
        {groups.slice(0, shownGroups).map(({ id, name, filter, hosts }) => (
          <li key={id}>
            <Link
              to="/hosts"
              search={approvedOf({ filter })}
              className={styles['link'] ?? ''}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              <span className={styles['groupName']}>
                <ForeignText text={name} oneLine />
              </span>
              <span className={styles['groupCount']}>{countOf(hosts)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Whether the page updates itself live. */
function Live() {
  const isLive = useLiveUpdates();
  return (
    <div className={styles['live']} role="status">
      <span className={`${styles['dot']} ${isLive ? '' : styles['away']}`} aria-hidden />
      {isLive ? 'Live' : 'Disconnected, refreshing every 30 s'}
    </div>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon };

function Account() {
  const user = useSession()?.user;
  const theme = useTheme();
  const isExact = useExactTimes();
  const Icon = themeIcons[theme];
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const signOut = async () => {
    // The browser forgets the access token even if the request fails; then its cookie remains.
    const isEnded = await api.post('/auth/logout').then(
      () => true,
      () => session.current() === null,
    );
    const provider = await api.post('/auth/oidc/logout').catch(() => null);
    session.leave(isEnded);
    if (typeof provider?.url === 'string') location.assign(provider.url);
  };
  return (
    <>
      <Link to="/account" className={`${styles['who']}`}>
        <strong>{user?.name === '' ? user.email : user?.name}</strong>
        {user?.role}
      </Link>
      <div className={styles['footButtons']}>
        <Button
          icon
          look="quiet"
          aria-label={`Theme: ${theme}. Change to ${next}`}
          onPress={() => setTheme(next)}
        >
          <Icon aria-hidden />
        </Button>
        <Button
          icon
          look="quiet"
          aria-label={isExact ? 'Show times as “3 hours ago”' : 'Show times as date and time'}
          onPress={() => setExactTimes(!isExact)}
        >
          {isExact ? <CalendarClock aria-hidden /> : <Clock aria-hidden />}
        </Button>
        <Button look="quiet" onPress={signOut}>
          <LogOut aria-hidden /> Sign out
        </Button>
      </div>
    </>
  );
}
