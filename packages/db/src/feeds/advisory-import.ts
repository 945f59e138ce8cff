import type { Advisory, Rating, SourceNaming } from '@plimsoll/model';
import type { HostCounter } from '../matching/host-counter.ts';
import type { ImportedCveFact } from './cve-import.ts';
import type { ImportEnd } from './end-import.ts';
import type { ImportedLifecycle } from './lifecycle-import.ts';
import type { ImportedRepository } from './repository-import.ts';
import type { StagedStatement } from './staging.ts';
import type { CompleteFeed } from './standing-records.ts';

/** An import on its way: staged records are seen by nobody until `finish`. */
export interface AdvisoryImport {
  /**
   * Stages records; those equal to what stands are only noted. Answers which were not taken: what came before in the
   * same file, and, unless `mayGoBack`, what is older than what stands.
   */
  stage(
    records: readonly ImportedRecord[],
    options: { readonly mayGoBack: boolean },
  ): Promise<readonly PassedOver[]>;
  /** Stages facts about vulnerabilities; answers the CVEs that already had one of the kind. */
  stageCves(facts: readonly ImportedCveFact[]): Promise<readonly string[]>;
  /** Stages what repositories ship; of one that comes twice the first counts. */
  stageRepositories(repositories: readonly ImportedRepository[]): void;
  /** Stages how long releases are supported; false where one of the release was staged before, which counts. */
  stageLifecycle(lifecycle: ImportedLifecycle): boolean;
  /** How many records complete feeds have now, and how many of them the file lacks. */
  shrinkage(completeFeeds: readonly CompleteFeed[]): Promise<Shrinkage>;
  /** How many facts of a kind there are now, and how many of them the file lacks. */
  cveShrinkage(kind: ImportedCveFact['kind']): Promise<Shrinkage>;
  /** How many repositories there are now, and how many of them the file lacks. */
  repositoryShrinkage(): Promise<Shrinkage>;
  /** Of how many releases a feed says now how long they are supported, and how many of them the file lacks. */
  lifecycleShrinkage(feedId: string): Promise<Shrinkage>;
  /** Lets what stands under an id stand, though the file holds nothing usable of it. */
  keep(externalId: string): void;
  /**
   * Replaces stored records with the staged ones, rematches and recounts what they touch, and ends the import, all in one
   * transaction.
   */
  finish(end: ImportEnd, counter: HostCounter): Promise<ImportOutcome>;
}

/** A record of a feed as it is imported: an advisory, with a sort key for every fixed version. */
export interface ImportedRecord {
  readonly feedId: string;
  readonly advisory: Advisory;
  readonly statements: readonly ImportedStatement[];
  /**
   * The number of its file, where other files, or other records about other releases, may hold more of the same advisory.
   * Left out: the record is all there is of it.
   */
  readonly part?: number;
}

/** One of an advisory's packages with its release interned. */
export interface ImportedStatement extends Rating {
  readonly releaseId: number;
  readonly name: string;
  readonly fix: StagedStatement['fix'];
  readonly builds: StagedStatement['builds'];
  readonly names?: SourceNaming;
  readonly buildsKey: string;
}

/** What an import did. */
export interface ImportOutcome {
  readonly recordsChanged: number;
  readonly recordsRemoved: number;
  readonly hostsCounted: number;
  /** How long it took to make the records what stands, and to match and count again what they touch. */
  readonly mergeMs: number;
  readonly matchMs: number;
}

/** A record that was not taken, and why. */
export interface PassedOver {
  readonly externalId: string;
  readonly reason: 'twice' | 'older';
}

/** What stands, and what of it would go. */
export interface Shrinkage {
  readonly standing: number;
  readonly lacking: number;
}
