import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  type RouteComponent,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { apiQuery, queryClient } from './api/queries.ts';
import { advisoriesSearch } from './pages/advisories/advisories-search.ts';
import { findingsSearch } from './pages/findings/findings-search.ts';
import { hostSearch } from './pages/host/host-search.ts';
import { hostsSearch } from './pages/hosts/hosts-search.ts';
import { plansSearch } from './pages/plans/plans-search.ts';
import { settingsSearch } from './pages/settings/settings-search.ts';
import { waiversSearch } from './pages/waivers/waivers-search.ts';
import { Broken, NotFound } from './shell/fallbacks.tsx';
import { loadPage } from './shell/load-page.ts';
import { isSetupRequired, requireSession } from './shell/require-session.ts';
import { Shell } from './shell/shell.tsx';
import { textSearch } from './shell/text-search.ts';

/** The component that a module exports under this name, which is loaded when it is shown. */
function page<Name extends string>(load: () => Promise<Record<Name, RouteComponent>>, name: Name) {
  return lazyRouteComponent(() => loadPage(load), name);
}

const root = createRootRoute();

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: async () => {
    if (!(await isSetupRequired())) throw redirect({ to: '/sign-in', replace: true });
  },
  component: page(() => import('./pages/sign-in/setup-page.tsx'), 'SetupPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: textSearch('back', 'expired', 'refused', 'unconfirmed'),
  component: page(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** Where a sign-in with the provider ends. */
const arrival = createRoute({
  getParentRoute: () => root,
  path: '/arrived',
  validateSearch: textSearch('back'),
  component: page(() => import('./pages/sign-in/arrival-page.tsx'), 'ArrivalPage'),
});

const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/accept-invitation',
  component: page(() => import('./pages/sign-in/accept-invitation-page.tsx'), 'AcceptInvitationPage'),
});

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: '/confirm-address',
  component: page(() => import('./pages/sign-in/confirm-address-page.tsx'), 'ConfirmAddressPage'),
});

/** Pages that need a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: Shell,
});

const fleet = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  // Starts the request while the page's code loads.
  loader: () => void queryClient.prefetchQuery(apiQuery('/fleet/summary')),
  component: page(() => import('./pages/fleet/fleet-page.tsx'), 'FleetPage'),
});

const hosts = createRoute({
  getParentRoute: () => signedIn,
  path: '/hosts',
  validateSearch: hostsSearch,
  component: page(() => import('./pages/hosts/hosts-page.tsx'), 'HostsPage'),
});

const compare = createRoute({
  getParentRoute: () => signedIn,
  path: '/compare',
  validateSearch: textSearch('a', 'b'),
  component: page(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
});

const oddOnesOut = createRoute({
  getParentRoute: () => signedIn,
  path: '/odd-ones-out',
  validateSearch: hostsSearch,
  component: page(() => import('./pages/odd-ones-out/odd-page.tsx'), 'OddPage'),
});

const groups = createRoute({
  getParentRoute: () => signedIn,
  path: '/groups',
  component: page(() => import('./pages/groups/groups-page.tsx'), 'GroupsPage'),
});

const host = createRoute({
  getParentRoute: () => signedIn,
  path: '/hosts/$id',
  validateSearch: hostSearch,
  component: page(() => import('./pages/host/host-page.tsx'), 'HostPage'),
});

const findings = createRoute({
  getParentRoute: () => signedIn,
  path: '/findings',
  validateSearch: findingsSearch,
  component: page(() => import('./pages/findings/findings-page.tsx'), 'FindingsPage'),
});

const waivers = createRoute({
  getParentRoute: () => signedIn,
  path: '/waivers',
  validateSearch: waiversSearch,
  component: page(() => import('./pages/waivers/waivers-page.tsx'), 'WaiversPage'),
});

const advisories = createRoute({
  getParentRoute: () => signedIn,
  path: '/advisories',
  validateSearch: advisoriesSearch,
  component: page(() => import('./pages/advisories/advisories-page.tsx'), 'AdvisoriesPage'),
});

const advisory = createRoute({
  getParentRoute: () => signedIn,
  path: '/advisories/$id',
  validateSearch: textSearch('fix_state'),
  component: page(() => import('./pages/advisories/advisory-page.tsx'), 'AdvisoryPage'),
});

const cves = createRoute({
  getParentRoute: () => signedIn,
  path: '/cves',
  validateSearch: textSearch('ids'),
  component: page(() => import('./pages/cves/lookup-page.tsx'), 'LookupPage'),
});

const cve = createRoute({
  getParentRoute: () => signedIn,
  path: '/cves/$id',
  validateSearch: textSearch('state', 'release'),
  component: page(() => import('./pages/advisories/cve-page.tsx'), 'CvePage'),
});

const packages = createRoute({
  getParentRoute: () => signedIn,
  path: '/packages',
  validateSearch: textSearch('name', 'version_lt', 'version'),
  component: page(() => import('./pages/packages/packages-page.tsx'), 'PackagesPage'),
});

const timeToPatch = createRoute({
  getParentRoute: () => signedIn,
  path: '/time-to-patch',
  validateSearch: textSearch('period', 'from', 'to', 'severity', 'tag'),
  component: page(() => import('./pages/time-to-patch/time-to-patch-page.tsx'), 'TimeToPatchPage'),
});

const repositories = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories',
  validateSearch: textSearch('outdated'),
  component: page(() => import('./pages/repositories/repositories-page.tsx'), 'RepositoriesPage'),
});

const plans = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans',
  validateSearch: plansSearch,
  component: page(() => import('./pages/plans/plans-page.tsx'), 'PlansPage'),
});

const savedPlan = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans/$id',
  component: page(() => import('./pages/plans/saved-plan-page.tsx'), 'SavedPlanPage'),
});

const bulletin = createRoute({
  getParentRoute: () => signedIn,
  path: '/bulletins/$id',
  component: page(() => import('./pages/bulletins/bulletin-page.tsx'), 'BulletinPage'),
});

const addHosts = createRoute({
  getParentRoute: () => signedIn,
  path: '/add-hosts',
  validateSearch: textSearch('way', 'token', 'host'),
  component: page(() => import('./pages/add-hosts/add-hosts-page.tsx'), 'AddHostsPage'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  validateSearch: settingsSearch,
  component: page(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

/** Any other address: `NotFound` inside the shell. */
const unknownPlace = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: NotFound,
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: page(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
});

const changes = createRoute({
  getParentRoute: () => signedIn,
  path: '/changes',
  component: page(() => import('./pages/changes/changes-page.tsx'), 'ChangesPage'),
});

/** All pages by address. Search parameters are text, not JSON. */
export const router = createRouter({
  routeTree: root.addChildren([
    setup,
    signIn,
    acceptInvitation,
    confirmAddress,
    arrival,
    signedIn.addChildren([
      fleet,
      hosts,
      compare,
      oddOnesOut,
      groups,
      host,
      findings,
      waivers,
      advisories,
      advisory,
      cves,
      cve,
      packages,
      repositories,
      timeToPatch,
      plans,
      bulletin,
      savedPlan,
      addHosts,
      settings,
      account,
      changes,
      unknownPlace,
    ]),
  ]),
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
