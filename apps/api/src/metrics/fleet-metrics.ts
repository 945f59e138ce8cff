import { cachedValue, type FleetStore, type FleetTotals } from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import type { ReadGauge } from './read-gauge.ts';

type Numbers = Readonly<Record<string, number>>;

/** A gauge of the fleet: one value per label value, or a single one without a label. */
interface FleetGauge {
  readonly name: string;
  readonly help: string;
  readonly label: string | null;
  readonly read: (totals: FleetTotals) => Numbers | number;
}

const gauges: readonly FleetGauge[] = [
  {
    name: 'plimsoll_hosts',
    help: 'Approved hosts by status.',
    label: 'status',
    read: ({ byStatus }) => byStatus,
  },
  {
    name: 'plimsoll_hosts_by_action',
    help: 'Approved hosts by the one most urgent thing to do.',
    label: 'action',
    read: ({ byAction }) => byAction,
  },
  {
    name: 'plimsoll_hosts_with_gap',
    help: 'Approved hosts with each gap: a reason why their data is incomplete.',
    label: 'gap',
    read: ({ byGap }) => byGap,
  },
  {
    name: 'plimsoll_hosts_by_reboot_state',
    help: 'Approved hosts by whether a reboot is due.',
    label: 'state',
    read: ({ byRebootState }) => byRebootState,
  },
  {
    name: 'plimsoll_hosts_by_restart_state',
    help: 'Approved hosts by whether a restart of services is due.',
    label: 'state',
    read: ({ byRestartState }) => byRestartState,
  },
  {
    name: 'plimsoll_findings',
    help: 'Findings that have a fix, by severity, and unfixed ones. A lower bound while plimsoll_hosts_findings_unknown is not 0.',
    label: 'severity',
    read: ({ findings: { critical, important, moderate, low, unrated, unfixed } }) => ({
      critical,
      important,
      moderate,
      low,
      unrated,
      unfixed,
    }),
  },
  {
    name: 'plimsoll_findings_known_exploited',
    help: 'Findings that are known to be exploited, fixed or not. A lower bound while plimsoll_hosts_findings_unknown is not 0, or plimsoll_feed_freshness of the feed cisa-kev is not current.',
    label: null,
    read: ({ findings }) => findings.knownExploited,
  },
  {
    name: 'plimsoll_hosts_findings_unknown',
    help: 'Approved hosts whose number of findings is a lower bound: zero findings are not known to be zero.',
    label: null,
    read: ({ findingsUnknown }) => findingsUnknown,
  },
  {
    name: 'plimsoll_available_updates',
    help: 'Updates that package managers offer. A lower bound while plimsoll_hosts_updates_unknown is not 0.',
    label: null,
    read: ({ availableUpdates }) => availableUpdates,
  },
  {
    name: 'plimsoll_hosts_updates_unknown',
    help: 'Approved hosts whose number of updates is not known.',
    label: null,
    read: ({ updatesUnknown }) => updatesUnknown,
  },
];

/** Metrics from the fleet summary that the dashboard also shows; one scrape counts the fleet at most once. */
export function fleetGauges(fleet: Pick<FleetStore, 'summarise'>): readonly ReadGauge[] {
  const summary = cachedValue(() => fleet.summarise(wholeFleet), { freshMs: () => 0 });
  return gauges.map(({ name, help, label, read }) => ({
    name,
    help,
    labels: label === null ? [] : [label],
    async read() {
      const values = read((await summary.get()).totals);
      return typeof values === 'number' ? [[values] as const] : Object.entries(values);
    },
  }));
}
