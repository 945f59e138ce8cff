import type { DuePolicy } from '@plimsoll/advisories';
import {
  bitsOfGaps,
  type FeedFreshness,
  findingGaps,
  type Gap,
  gaps,
  gapsOfBits,
  type HostScope,
  narrowScope,
  type Severity,
  scopeKey,
  severities,
  tagsOfScope,
} from '@plimsoll/model';
import { z } from 'zod';
import { type Database, inPgSnapshot } from '../core/database.ts';
import { hostSelection } from '../fleet/hosts/host-selection.ts';
import { judgeDue } from '../fleet/hosts/judge-due.ts';
import type { HostFilters } from '../fleet/hosts/query.ts';
import { readDuePolicy } from '../judging/due/host-due-terms.ts';
import type { FindingRow } from '../judging/findings/finding-query.ts';
import type { FindingStore } from '../judging/findings/finding-store.ts';
import { countSelected } from '../judging/summary/fleet-totals.ts';
import { isDueExploitationUnknown, readKevState } from '../knowledge/known-exploited.ts';
import { type BulletinRights, loadRights, type ParseGroup } from './bulletin-rights.ts';

type Counted = Exclude<Severity, 'none'>;

/** Findings of a severity, and the hosts that have one. */
export interface OpenOfSeverity {
  readonly severity: Counted | 'unfixed';
  readonly findings: number;
  readonly hosts: number;
}

/** What changed since the last bulletin that was delivered. */
export interface BulletinChangesSince {
  readonly since: string;
  readonly hosts: number;
  readonly overdue: number;
  /** By severity: the number then. */
  readonly findings: Readonly<Record<Counted | 'unfixed', number>>;
  /** Advisories that were not there, the first to do first; `added` counts all. */
  readonly added: number;
  readonly added_first: readonly { readonly key: string; readonly title: string; readonly hosts: number }[];
  /** Advisories that are not there any more. Null: the last bulletin had too many to say. */
  readonly gone: number | null;
  readonly gone_first: readonly string[];
}

/** What a bulletin says; times are ISO 8601. Field names as in the API. */
export interface BulletinContents {
  readonly name: string;
  /** Which hosts: a group's name, a tag, or all. */
  readonly about: { readonly kind: 'all' | 'group' | 'tag'; readonly name: string };
  /** The tags to which the maker or the receivers are limited; null: to none. */
  readonly limited_to: readonly string[] | null;
  readonly as_of: string;
  readonly hosts: number;
  /** Hosts whose findings are a lower bound, and those that are not counted yet. */
  readonly unknown_hosts: number;
  readonly uncounted_hosts: number;
  readonly silent_hosts: number;
  readonly gaps: readonly { readonly gap: Gap; readonly hosts: number }[];
  readonly open: readonly OpenOfSeverity[];
  readonly known_exploited: { readonly findings: number; readonly hosts: number };
  /** The data of CISA KEV, on which `known_exploited` rests. */
  readonly exploited_data: { readonly freshness: FeedFreshness; readonly updated_at: string | null };
  readonly has_due_policy: boolean;
  /** Whether due dates may be too late, because the policy asks for exploitation and CISA KEV is not current. */
  readonly due_exploitation_unknown: boolean;
  readonly due_forensics: boolean;
  readonly overdue: { readonly findings: number; readonly hosts: number };
  readonly first: readonly {
    readonly key: string;
    readonly title: string;
    readonly severity: Severity;
    readonly known_exploited: boolean;
    readonly hosts: number;
    readonly installable_hosts: number;
    readonly overdue_hosts: number;
    readonly due_at: string | null;
  }[];
  /** The number of all advisories with open findings. */
  readonly advisories: number;
  /** Null: it is the first one, or the last one was about other hosts. */
  readonly changes: BulletinChangesSince | null;
}

const baseShape = z.object({
  as_of: z.string(),
  /** Of what it was about: only equal ones are compared. */
  about: z.string(),
  hosts: z.number(),
  overdue: z.number(),
  findings: z.record(z.string(), z.number()),
  keys: z.array(z.string()),
  is_complete: z.boolean(),
});

/** What the next bulletin is compared with. */
export type BulletinBase = z.output<typeof baseShape>;

/** A host whose findings are a lower bound. */
export interface UnknownHost {
  readonly id: string;
  readonly name: string;
  /** Why; empty: its report is not counted yet. */
  readonly gaps: readonly Gap[];
}

/** A bulletin, or why there is none. */
export type MadeBulletin =
  | {
      readonly kind: 'made';
      readonly contents: BulletinContents;
      readonly base: BulletinBase;
      readonly rows: readonly FindingRow[];
      /** The hosts whose findings are a lower bound, by display name. */
      readonly unknown: readonly UnknownHost[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Makes bulletins, with the rights that their makers have at that time. */
export interface BulletinMaker {
  /** Null if it does not exist. @param viewer further limits what it is about */
  make(id: string, viewer: HostScope): Promise<MadeBulletin | null>;
}

/** Rows in "what to do first", and of changes. */
const firstRows = 15;
const changedRows = 10;
/** Advisories that the next bulletin is compared with. */
const mostKeys = 5_000;

/** The maker of one database. `parseGroup` reads the filter of a group; null: it has an unknown one. */
export function createBulletinMaker(
  database: Database,
  {
    findings,
    parseGroup,
    clock = () => new Date(),
  }: {
    readonly findings: FindingStore;
    readonly parseGroup: ParseGroup;
    readonly clock?: () => Date;
  },
): BulletinMaker {
  return {
    async make(id, viewer) {
      const rights = await loadRights(database, id, parseGroup);
      if (rights === null || rights.kind === 'refused') return rights;
      const scope = narrowScope(rights.scope, viewer);
      // Before counting: what is imported meanwhile may be in the counts, but is not claimed.
      const { policy, exploitedData, isDueUnknown } = await loadBackground(database);
      const counted = await count(database, scope, rights.filters);
      const now = clock();
      const query = { scope, groupBy: 'advisory', filters: { among: rights.filters }, now } as const;
      const { coverage } = await findings.list({ ...query, limit: 1, after: null });
      const rows = (await findings.all(query)).slice();
      const base = baseOf(rights, scope, { counted, rows, now });
      const before = baseShape.nullable().catch(null).parse(rights.base);
      const contents: BulletinContents = {
        name: rights.name,
        about: rights.about,
        limited_to: tagsOfScope(scope),
        as_of: now.toISOString(),
        ...counted.shown,
        unknown_hosts: coverage.unknownHosts,
        uncounted_hosts: coverage.uncountedHosts,
        exploited_data: exploitedData,
        has_due_policy: policy.rules.length > 0,
        due_exploitation_unknown: isDueUnknown,
        due_forensics: policy.rules.some(({ forensics }) => forensics),
        first: rows.slice(0, firstRows).map(firstRow),
        advisories: rows.length,
        changes: before === null || before.about !== base.about ? null : changesSince(before, rows),
      };
      return { kind: 'made', contents, base, rows, unknown: counted.unknown };
    },
  };
}

type Shown = Pick<
  BulletinContents,
  'hosts' | 'silent_hosts' | 'gaps' | 'open' | 'known_exploited' | 'overdue'
>;
interface CountedNow {
  readonly shown: Shown;
  readonly unknown: readonly UnknownHost[];
}

const shownSeverities = [...severities.filter((severity) => severity !== 'none'), 'unfixed'] as const;

async function count(database: Database, scope: HostScope, filters: HostFilters): Promise<CountedNow> {
  await judgeDue(database);
  const selection = hostSelection(scope, filters);
  const { from, where, values } = selection;
  const limiting = bitsOfGaps(findingGaps);
  return inPgSnapshot(database.pool, async (tx) => {
    const { totals, overdue } = await countSelected(tx, selection);
    const unknown = await tx.query<{ id: string; name: string; gaps: number }>(
      `SELECT h.id, h.display_name AS name, s.gaps & ${limiting} AS gaps FROM ${from}
       WHERE ${where} AND h.approval_status = 'approved'
         AND (s.gaps & ${limiting} <> 0 OR s.finding_list_id IS NULL AND s.snapshot_id IS NOT NULL)
       ORDER BY h.display_name COLLATE "C", h.id`,
      values,
    );
    return {
      shown: {
        hosts: totals.hosts,
        silent_hosts: totals.byStatus.stale + totals.byStatus.unreachable,
        gaps: gaps.flatMap((gap) => (totals.byGap[gap] > 0 ? [{ gap, hosts: totals.byGap[gap] }] : [])),
        open: shownSeverities.map((severity) => ({
          severity,
          findings: totals.findings[severity],
          hosts: totals.hostsWith[severity],
        })),
        known_exploited: { findings: totals.findings.knownExploited, hosts: totals.hostsWith.knownExploited },
        overdue,
      },
      unknown: unknown.rows.map(({ gaps: bits, ...host }) => ({ ...host, gaps: gapsOfBits(bits) })),
    };
  });
}

/** What a bulletin rests on besides its hosts. */
async function loadBackground({ pool }: Pick<Database, 'pool'>): Promise<{
  readonly policy: DuePolicy;
  readonly exploitedData: BulletinContents['exploited_data'];
  readonly isDueUnknown: boolean;
}> {
  const [{ policy }, { freshness, updatedAt }] = await Promise.all([readDuePolicy(pool), readKevState(pool)]);
  const isDueUnknown = await isDueExploitationUnknown(pool, policy);
  return { policy, exploitedData: { freshness, updated_at: updatedAt?.toISOString() ?? null }, isDueUnknown };
}

function firstRow(row: FindingRow): BulletinContents['first'][number] {
  return {
    key: row.key,
    title: row.title,
    severity: row.severity,
    known_exploited: row.knownExploited,
    hosts: row.hosts,
    installable_hosts: row.byState.installable ?? 0,
    overdue_hosts: row.overdueHosts,
    due_at: row.dueAt === null ? null : new Date(row.dueAt).toISOString(),
  };
}

function baseOf(
  { about, filters }: Extract<BulletinRights, { kind: 'allowed' }>,
  scope: HostScope,
  {
    counted: { shown },
    rows,
    now,
  }: { readonly counted: CountedNow; readonly rows: readonly FindingRow[]; readonly now: Date },
): BulletinBase {
  return {
    as_of: now.toISOString(),
    about: JSON.stringify([scopeKey(scope), about.kind, filters]),
    hosts: shown.hosts,
    overdue: shown.overdue.findings,
    findings: Object.fromEntries(shown.open.map(({ severity, findings }) => [severity, findings])),
    keys: rows.slice(0, mostKeys).map(({ key }) => key),
    is_complete: rows.length <= mostKeys,
  };
}

function changesSince(before: BulletinBase, rows: readonly FindingRow[]): BulletinChangesSince {
  const known = new Set(before.keys);
  const present = new Set(rows.map(({ key }) => key));
  const added = before.is_complete ? rows.filter(({ key }) => !known.has(key)) : [];
  const gone = before.keys.filter((key) => !present.has(key));
  return {
    since: before.as_of,
    hosts: before.hosts,
    overdue: before.overdue,
    findings: Object.fromEntries(
      shownSeverities.map((severity) => [severity, before.findings[severity] ?? 0]),
    ) as BulletinChangesSince['findings'], // Every severity has an entry.
    added: added.length,
    added_first: added.slice(0, changedRows).map(({ key, title, hosts }) => ({ key, title, hosts })),
    gone: before.is_complete ? gone.length : null,
    gone_first: gone.slice(0, changedRows),
  };
}
