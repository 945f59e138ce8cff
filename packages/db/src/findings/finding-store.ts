import { createHash } from 'node:crypto';
import { startOfDay } from '@plimsoll/advisories';
import {
  bitsOfGaps,
  compareText,
  findingGaps,
  type HostExposure,
  scopeKey,
  taggedHosts,
} from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot } from '../database.ts';
import type { HostColumns } from '../hosts/host-columns.ts';
import { createHostMemory, type HostMemory } from '../hosts/host-memory.ts';
import { selectIds } from '../hosts/list-hosts.ts';
import { readFindingList } from '../interning/finding-list.ts';
import { judgeDue } from '../judging/judge-due.ts';
import { readDuePolicy, type StoredDuePolicy } from '../policies/host-due-terms.ts';
import { FindingKnowledge } from './finding-knowledge.ts';
import type { FindingCoverage, FindingPage, FindingQuery, FindingRows } from './finding-query.ts';
import { groupFindings, type HostInUse, type ListInUse } from './group-findings.ts';
import { keptAnswers } from './kept-answers.ts';
import type { KeptRows } from './kept-rows.ts';
import { PackedBytes } from './packed-bytes.ts';
import { type DueProfile, StatementDues, type TermsDues } from './statement-due.ts';

/** The findings of the fleet, grouped. */
export interface FindingStore {
  /**
   * A page of rows, what to do first comes first: the earliest due, then known exploited, the worst severity, the
   * highest EPSS, the most hosts. Only approved hosts of the scope count. Of large fleets an answer may be some minutes old.
   */
  list(query: FindingQuery): Promise<FindingPage>;
  /** All rows of `list`, as of one moment. */
  all(query: Omit<FindingQuery, 'limit' | 'after'>): Promise<FindingRows>;
}

/** An answer about fewer hosts, or one that took less time, is made again whenever something changed. */
const fewHosts = 1_000;
const quickMs = 250;
/** At most one twentieth of the time goes into making an answer again. */
const freshTimes = 20;
const oldestMs = 5 * 60_000;
const listsPerLoad = 2_000;

/** The finding store of one database. */
export function createFindingStore(
  database: Database,
  memory: HostMemory = createHostMemory(database),
): FindingStore {
  const keeper = new FindingKeeper(database, memory);
  return {
    async list({ limit, after, ...query }) {
      const { rows, coverage } = await keeper.answer(query);
      const first = after === null ? 0 : rows.upTo(after);
      return { total: rows.length, rows: rows.slice(first, first + limit), coverage };
    },
    all: async (query) => (await keeper.answer(query)).rows,
  };
}

type Question = Omit<FindingQuery, 'limit' | 'after'>;

interface Answer {
  readonly rows: KeptRows;
  readonly coverage: FindingCoverage;
}

interface KeptAnswer extends Answer {
  readonly stamp: string;
  readonly madeAt: number;
  readonly tookMs: number;
  readonly policyAt: number;
}

/** The first answer after a start takes long about any number of hosts. */
const takesLong = ({ coverage, tookMs }: KeptAnswer): boolean =>
  coverage.hosts >= fewHosts && tookMs >= quickMs;

/** Keeps the finding lists and statements in use, and recent answers. */
class FindingKeeper {
  private readonly database: Database;
  private readonly memory: HostMemory;
  private readonly knowledge = new FindingKnowledge();
  private readonly dues = new StatementDues();
  /** Changes when the policy of due dates does. */
  private policies = 0;
  private readonly lists = new PackedBytes();
  private readonly answers = keptAnswers<KeptAnswer>();
  /** Answers are made one after the other: they share what is loaded. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(database: Database, memory: HostMemory) {
    this.database = database;
    this.memory = memory;
  }

  async answer(question: Question): Promise<Answer> {
    const key = keyOf(question);
    const kept = this.answers.get(key);
    if (kept !== undefined && takesLong(kept) && (await this.policyAt()) === kept.policyAt) {
      const ageMs = performance.now() - kept.madeAt;
      if (ageMs < Math.min(oldestMs, freshTimes * kept.tookMs)) return kept;
    }
    const made = this.turn.then(() => this.make(key, question));
    this.turn = made.catch(() => undefined);
    return made;
  }

  /** When the policy of due dates was changed: no answer from before is given. */
  private async policyAt(): Promise<number> {
    return changedAt(await readDuePolicy(this.database.pool));
  }

  private async make(key: string, question: Question): Promise<Answer> {
    const among = await this.idsOf(question);
    const columns = await this.memory.current();
    const { hosts, coverage } = hostsOf(columns, question, among);
    const { revision } = columns;
    const begun = performance.now();
    const policyAt = await inPgSnapshot(this.database.pool, async (tx) => {
      const stored = await readDuePolicy(tx);
      const { policy } = stored;
      const isKept = await this.knowledge.follow(tx, policy.rules.length > 0);
      await this.loadLists(tx, [...hosts.keys()]);
      if (!isKept) for (const bytes of this.lists.values()) this.wantVersions(bytes);
      await this.knowledge.load(tx);
      if (this.dues.follow(policy, this.knowledge.generation)) this.policies += 1;
      return changedAt(stored);
    });
    const minute = Math.floor(question.now.getTime() / 60_000);
    const selected = among === null ? '' : digestOf(among);
    const stamp = `${selected} ${revision} ${this.knowledge.revision} ${this.policies} ${minute}`;
    const kept = this.answers.get(key);
    if (kept?.stamp === stamp && kept.policyAt === policyAt) return kept;
    const missing = [...hosts].reduce((sum, [id, some]) => sum + (this.lists.has(id) ? 0 : some.length), 0);
    const rows = await groupFindings(this.knowledge, this.listsInUse(hosts), {
      ...question,
      nowMs: question.now.getTime(),
    });
    const answer = {
      rows,
      coverage: {
        ...coverage,
        unknownHosts: coverage.unknownHosts + missing,
        uncountedHosts: coverage.uncountedHosts + missing,
      },
      stamp,
      madeAt: performance.now(),
    };
    this.answers.set(key, { ...answer, policyAt, tookMs: answer.madeAt - begun });
    this.dropUnused(columns);
    this.dues.trim();
    return answer;
  }

  /** The hosts that filters select; null: all. */
  private async idsOf({ scope, filters: { among } }: Question): Promise<readonly string[] | null> {
    if (among === undefined) return null;
    await judgeDue(this.database);
    return (await selectIds(this.database, { scope, filters: among, most: Number.POSITIVE_INFINITY })).ids;
  }

  /** The lists of hosts, once for those with equal terms of due dates; not those that were deleted since the hosts were read. */
  private *listsInUse(hosts: ReadonlyMap<number, readonly HostInUse[]>): Iterable<ListInUse> {
    const known = new Map<DueProfile, TermsDues | null>();
    const duesOf = ({ profile }: HostInUse): TermsDues | null => {
      const dues = known.get(profile) ?? this.dues.of(profile, this.knowledge);
      known.set(profile, dues);
      return dues;
    };
    for (const [id, having] of hosts) {
      const bytes = this.lists.get(id);
      if (bytes !== undefined) for (const alike of byDues(having, duesOf)) yield { bytes, ...alike };
    }
  }

  private wantVersions(bytes: Uint8Array): void {
    readFindingList(bytes, { version: (id) => this.knowledge.want(id), exception: () => undefined });
  }

  private async loadLists(tx: pg.PoolClient, ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.lists.has(id));
    for (let first = 0; first < missing.length; first += listsPerLoad) {
      const { rows } = await tx.query<{ id: number; entries: Uint8Array }>(
        'SELECT id, entries FROM finding_lists WHERE id = ANY($1::int[])',
        [missing.slice(first, first + listsPerLoad)],
      );
      for (const { id, entries } of rows) {
        this.lists.add(id, entries);
        this.wantVersions(entries);
      }
    }
  }

  /** Drops the lists that no host has, once they are most of all. */
  private dropUnused({ numbers, size }: HostColumns): void {
    if (this.lists.size <= 1_000) return;
    const used = new Set(numbers.findingListId.subarray(0, size));
    if (this.lists.size <= 2 * used.size) return;
    this.lists.keepOnly(used);
  }
}

/** The approved hosts that a question is about, by finding list. Runs at once, because hosts change meanwhile. */
function hostsOf(
  columns: HostColumns,
  { scope, filters }: Pick<Question, 'scope' | 'filters'>,
  selected: readonly string[] | null,
): { readonly hosts: ReadonlyMap<number, readonly HostInUse[]>; readonly coverage: FindingCoverage } {
  const approved = columns.words.approvalStatus.indexOf('approved');
  const inScope = columns.seenIn(scope);
  const hasTag = filters.tag === undefined ? () => true : columns.seenIn(taggedHosts([filters.tag]));
  const among = selected === null ? null : new Set(selected.map((id) => columns.find(id)));
  const limiting = bitsOfGaps(findingGaps);
  const hosts = new Map<number, HostInUse[]>();
  const profileOf = profilesOf(columns);
  const coverage = { hosts: 0, unknownHosts: 0, uncountedHosts: 0, gaps: 0 };
  for (let position = 0; position < columns.size; position += 1) {
    if (columns.flags.isPresent[position] !== 1 || columns.codes.approvalStatus[position] !== approved)
      continue;
    if (!inScope(position) || !hasTag(position) || among?.has(position) === false) continue;
    const id = columns.ids[position] ?? '';
    if (filters.host !== undefined && filters.host !== id) continue;
    coverage.hosts += 1;
    const gaps = (columns.numbers.gaps[position] ?? 0) & limiting;
    const list = columns.numbers.findingListId[position] ?? 0;
    const isUncounted = list === 0 && columns.flags.hasReport[position] === 1;
    coverage.gaps |= gaps;
    if (isUncounted) coverage.uncountedHosts += 1;
    if (isUncounted || gaps !== 0) coverage.unknownHosts += 1;
    if (list === 0) continue;
    const host = {
      id,
      name: columns.displayNames[position] ?? '',
      searched: columns.searched[position] ?? '',
      firstSnapshotAt: columns.timeOf('firstSnapshotAt', position) ?? 0,
      profile: profileOf(position),
    };
    const others = hosts.get(list);
    if (others === undefined) hosts.set(list, [host]);
    else others.push(host);
  }
  return { hosts, coverage };
}

/** Hosts by what their due dates depend on besides the list: mostly those of a list are alike. */
function byDues(
  hosts: readonly HostInUse[],
  duesOf: (host: HostInUse) => TermsDues | null,
): readonly Pick<ListInUse, 'hosts' | 'dues' | 'firstReportAt'>[] {
  const alike = new Map<TermsDues | null, Map<number, HostInUse[]>>();
  for (const host of hosts) {
    const dues = duesOf(host);
    const day = dues?.isByFirstReport === true ? startOfDay(host.firstSnapshotAt) : 0;
    const byDay = alike.get(dues) ?? new Map<number, HostInUse[]>();
    alike.set(dues, byDay);
    const others = byDay.get(day);
    if (others === undefined) byDay.set(day, [host]);
    else others.push(host);
  }
  return [...alike].flatMap(([dues, byDay]) =>
    [...byDay].map(([firstReportAt, some]) => ({ dues, firstReportAt, hosts: some })),
  );
}

/** What decides on the due dates of the host at a position, one object for equal hosts. */
function profilesOf(columns: HostColumns): (position: number) => DueProfile {
  const known = new Map<number, DueProfile>();
  return (position) => {
    const exposure = columns.codes.exposure[position] ?? 0;
    const key = (columns.numbers.tagSetId[position] ?? 0) * 256 + exposure;
    const profile = known.get(key) ?? {
      exposure: columns.wordOf('exposure', position) as HostExposure, // The column has only these words.
      tags: columns.tagsOf(position),
    };
    known.set(key, profile);
    return profile;
  };
}

function digestOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join()).digest('base64');
}

/** In milliseconds since 1970; 0: no policy was ever set. */
function changedAt({ changed }: StoredDuePolicy): number {
  return changed?.at.getTime() ?? 0;
}

function keyOf({ scope, groupBy, filters }: Question): string {
  const given = Object.entries(filters).sort(([a], [b]) => compareText(a, b));
  return JSON.stringify([scopeKey(scope), groupBy, given]);
}
