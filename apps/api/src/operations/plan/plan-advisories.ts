import { type Finding, selectFindings } from '@plimsoll/advisories';
import type { UpgradePlan } from '@plimsoll/contract';
import type { HostToAssess } from '@plimsoll/db';
import { compareSeverity, type FixState, type Severity } from '@plimsoll/model';
import type { LoadedAssessment } from '../hosts/find-host.ts';

type Plan = Pick<UpgradePlan, 'closes' | 'stays_open'>;

interface Entry {
  readonly id: string;
  readonly severity: Severity;
  readonly known_exploited: boolean;
  readonly packages: string[];
}

/** The advisories that an upgrade closes and those that stay open, most severe first, then by id. */
export function planAdvisories(
  { host, assessment }: LoadedAssessment,
  leftOut: UpgradePlan['left_out'],
): Plan {
  const unsafe = new Set(leftOut.filter(({ reason }) => reason === 'unsafe_name').map(({ name }) => name));
  const closes = new Map<string, Entry & { readonly after_reboot: boolean }>();
  const staysOpen = new Map<string, Entry & { readonly fix_state: FixState }>();
  for (const finding of selectFindings(assessment.findings, { includeUnfixed: true, includeHidden: false })) {
    const isKernel = isOfKernel(finding, host);
    for (const { statement, fixState } of finding.advisories) {
      const entry = {
        id: statement.externalId,
        severity: statement.severity,
        known_exploited: statement.knownExploited,
        packages: [],
      };
      if (fixState === 'installable' && !unsafe.has(finding.name)) {
        const key = `${entry.id}\0${isKernel}`;
        add(closes, key, { ...entry, after_reboot: isKernel }, finding.name);
      } else {
        // Offered, but not in a command that may be run.
        const fix_state = fixState === 'installable' ? 'held' : fixState;
        add(staysOpen, `${entry.id}\0${fix_state}`, { ...entry, fix_state }, finding.name);
      }
    }
  }
  return {
    closes: [...closes.values()].sort(byUrgency),
    stays_open: [...staysOpen.values()].sort(byUrgency),
  };
}

function add<Found extends Entry>(found: Map<string, Found>, key: string, entry: Found, name: string): void {
  const known = found.get(key);
  if (known === undefined) found.set(key, { ...entry, packages: [name] });
  else if (!known.packages.includes(name)) known.packages.push(name);
}

function byUrgency(a: Entry, b: Entry): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    Number(b.known_exploited) - Number(a.known_exploited) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Whether a finding is about the kernel: only a reboot closes it. */
export function isOfKernel({ packageId }: Finding, { packages, runningKernel }: HostToAssess): boolean {
  const all = runningKernel === null ? packages : [...packages, runningKernel];
  const verdict = all.find(({ version }) => version.id === packageId)?.version.verdict;
  return verdict !== undefined && verdict.kind !== 'excluded' && verdict.kernel !== null;
}
