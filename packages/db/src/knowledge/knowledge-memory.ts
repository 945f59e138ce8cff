import { type Database, preparedReads } from '../core/database.ts';
import type { Statements } from '../core/transaction.ts';
import { KnownAdvisories } from './known-advisories.ts';
import { KeptVersions, KnownVersions } from './known-versions.ts';
import { readVersionChanges } from './package-versions.ts';
import { SideStatementReader } from './side-statements.ts';
import { StatementDater } from './statement-dates.ts';

/**
 * What is known about packages, as far as reads of single hosts asked for it. It is kept with the times for which it was so,
 * so that questions about past times share it.
 */
export class KnowledgeMemory {
  readonly versions: KnownVersions;
  readonly advisories: KnownAdvisories;
  readonly sides: SideStatementReader;
  readonly #reads: Statements;
  #dated: StatementDater | null = null;

  constructor(reads: Statements, kept?: KeptVersions) {
    this.versions = new KnownVersions(reads, kept);
    this.advisories = new KnownAdvisories(reads);
    this.sides = new SideStatementReader(reads);
    this.#reads = reads;
  }

  /** Dates of statements; used only with a policy of due dates. */
  get dated(): StatementDater {
    this.#dated ??= new StatementDater(this.#reads);
    return this.#dated;
  }
}

/**
 * Gives reads the memory that they share until a transaction changes what is known. The next read then begins another one, which
 * has only the package versions that the change does not concern.
 */
export interface KnowledgeMemories {
  /**
   * The memory of this moment. A read that goes on while a change is committed can see a part of the new state, as without a
   * memory, and share it with others that began before the change. None that begins later does.
   */
  current(): Promise<KnowledgeMemory>;
}

/** The memories of the reads of one database in this thread. */
export function createKnowledgeMemories(database: Pick<Database, 'pool'>): KnowledgeMemories {
  return knowledgeMemories(preparedReads(database));
}

/** The same, for reads with these statements. */
export function knowledgeMemories(reads: Statements): KnowledgeMemories {
  const kept = new KeptVersions();
  let memory = new KnowledgeMemory(reads, kept);
  let seen: KnowledgeState & { readonly versionChange: string | null } = {
    change: null,
    historyStart: null,
    versionChange: null,
  };
  return {
    async current() {
      const state = await loadState(reads);
      if (state.change === seen.change && state.historyStart === seen.historyStart) return memory;
      const { newest, versions } = await readVersionChanges(reads, seen.versionChange);
      // Of the time before the start of the history nothing may be shown.
      kept.drop(state.historyStart === seen.historyStart ? versions : null);
      seen = { ...state, versionChange: newest };
      memory = new KnowledgeMemory(reads, kept);
      return memory;
    },
  };
}

interface KnowledgeState {
  /** Names the last transaction that changed what is known. */
  readonly change: string | null;
  readonly historyStart: string | null;
}

async function loadState(client: Statements): Promise<KnowledgeState> {
  const { rows } = await client.query<KnowledgeState>(
    `SELECT (SELECT id || ' ' || at FROM knowledge_changes ORDER BY id DESC LIMIT 1) AS change,
            (SELECT starts_at::text FROM history_bounds) AS "historyStart"`,
  );
  return rows[0] ?? { change: null, historyStart: null };
}
