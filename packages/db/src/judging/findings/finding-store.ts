import { hash } from 'node:crypto';
import { startOfDay } from '@plimsoll/advisories';
import { compareText, groupBy, scopeKey } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgSnapshot } from '../../core/database.ts';
import { judgeDue } from '../../fleet/hosts/judge-due.ts';
import { readFindingList } from '../counting/finding-list.ts';
import { readDuePolicy, type StoredDuePolicy } from '../due/host-due-terms.ts';
import { type AlikeHosts, findAlikeHosts } from './finding-hosts.ts';
import { FindingKnowledge } from './finding-knowledge.ts';
import type { FindingCoverage, FindingPage, FindingQuery, FindingRows } from './finding-query.ts';
import { groupFindings, type ListInUse } from './group-findings.ts';
import { keptAnswers } from './kept-answers.ts';
import type { KeptRows } from './kept-rows.ts';
import { PackedBytes } from './packed-bytes.ts';
import { StatementDues, type TermsDues } from './statement-due.ts';

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
const leastLists = 1_000;

/** The finding store of one database. */
export function createFindingStore(database: Database): FindingStore {
  const keeper = new FindingKeeper(database);
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
  private readonly knowledge = new FindingKnowledge();
  private readonly dues = new StatementDues();
  /** Changes when the policy of due dates does. */
  private policies = 0;
  private readonly lists = new PackedBytes();
  /** More are kept only if hosts have them. */
  private mostLists = leastLists;
  private readonly answers = keptAnswers<KeptAnswer>();
  /** Answers are made one after the other: they share what is loaded. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.database = database;
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
    const { pool } = this.database;
    await judgeDue(this.database);
    const begun = performance.now();
    const { alike, coverage, policyAt } = await inPgSnapshot(pool, async (tx) => {
      const stored = await readDuePolicy(tx);
      const { policy } = stored;
      const isKept = await this.knowledge.follow(tx, policy.rules.length > 0);
      const found = await findAlikeHosts(tx, question, policy);
      await this.loadLists(tx, [...new Set(found.alike.map(({ list }) => list))]);
      await this.dropUnused(tx);
      if (!isKept) for (const bytes of this.lists.values()) this.wantVersions(bytes);
      await this.knowledge.load(tx);
      if (this.dues.follow(policy, this.knowledge.generation)) this.policies += 1;
      return { ...found, policyAt: changedAt(stored) };
    });
    const minute = Math.floor(question.now.getTime() / 60_000);
    const selected = hash('sha256', JSON.stringify([alike, coverage]), 'base64');
    const stamp = `${selected} ${this.knowledge.revision} ${this.policies} ${minute}`;
    const kept = this.answers.get(key);
    if (kept?.stamp === stamp && kept.policyAt === policyAt) return kept;
    const rows = await groupFindings(this.knowledge, this.listsInUse(alike), {
      ...question,
      nowMs: question.now.getTime(),
    });
    const madeAt = performance.now();
    const answer = { rows, coverage, stamp, madeAt, policyAt, tookMs: madeAt - begun };
    this.answers.set(key, answer);
    this.dues.trim();
    return answer;
  }

  /** The lists of hosts, once for those with equal terms of due dates. */
  private *listsInUse(all: readonly AlikeHosts[]): Iterable<ListInUse> {
    const known = new Map<string, TermsDues | null>();
    const duesOf = ({ exposure, tags }: AlikeHosts): TermsDues | null => {
      const profile = JSON.stringify([exposure, tags]);
      const dues = known.get(profile) ?? this.dues.of({ exposure, tags }, this.knowledge);
      known.set(profile, dues);
      return dues;
    };
    for (const [id, having] of groupBy(all, ({ list }) => list)) {
      const bytes = this.lists.get(id);
      if (bytes !== undefined) for (const some of byDues(having, duesOf)) yield { bytes, ...some };
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

  /** Drops the lists that no host has, once they can be most of all. */
  private async dropUnused(tx: pg.PoolClient): Promise<void> {
    if (this.lists.size <= this.mostLists) return;
    const { rows } = await tx.query<{ id: number }>(
      'SELECT DISTINCT finding_list_id AS id FROM host_state WHERE finding_list_id IS NOT NULL',
    );
    this.lists.keepOnly(new Set(rows.map(({ id }) => id)));
    this.mostLists = Math.max(leastLists, 2 * this.lists.size);
  }
}

/** Hosts by what their due dates depend on besides the list: mostly those of a list are alike. */
function byDues(
  hosts: readonly AlikeHosts[],
  duesOf: (hosts: AlikeHosts) => TermsDues | null,
): readonly Pick<ListInUse, 'alike' | 'dues' | 'firstReportAt'>[] {
  const alike = new Map<TermsDues | null, Map<number, AlikeHosts[]>>();
  for (const host of hosts) {
    const dues = duesOf(host);
    const day = dues?.isByFirstReport === true ? startOfDay(host.firstSnapshotAt) : 0;
    const byDay = alike.get(dues) ?? new Map<number, AlikeHosts[]>();
    alike.set(dues, byDay);
    const others = byDay.get(day);
    if (others === undefined) byDay.set(day, [host]);
    else others.push(host);
  }
  return [...alike].flatMap(([dues, byDay]) =>
    [...byDay].map(([firstReportAt, some]) => ({ dues, firstReportAt, alike: some })),
  );
}

/** In milliseconds since 1970; 0: no policy was ever set. */
function changedAt({ changed }: StoredDuePolicy): number {
  return changed?.at.getTime() ?? 0;
}

function keyOf({ scope, groupBy, filters }: Question): string {
  const given = Object.entries(filters).sort(([a], [b]) => compareText(a, b));
  return JSON.stringify([scopeKey(scope), groupBy, given]);
}
