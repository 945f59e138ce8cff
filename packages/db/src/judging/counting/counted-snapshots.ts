import type { HostId, PackageVersionId, Release, UploadId } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { type CountedFacts, countedFactsColumn, readCountedFacts } from '../../ingest/stored-facts.ts';
import { decodeCountedInput, digestOf, encodeCountedInput } from './counted-input.ts';

/** A host to count by one of its stored snapshots. */
export interface HostToCount {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  /** What host_state says of the snapshot, if the caller has read it: then its own row is often not needed. */
  readonly stored?: StoredInput;
}

/** The columns of host_state that say which snapshots count alike. */
export interface StoredInput {
  readonly release: Release;
  readonly setId: number;
  /** `counted_input`; null if the host was not counted yet. */
  readonly input: Uint8Array | null;
}

/** The input of a host's counts besides its package versions, as digests of its parts. */
export interface CountedSnapshot {
  readonly release: Release;
  readonly setId: number;
  /** Equal for snapshots with equal facts, holds and running kernel. */
  readonly facts: string;
  /** Equal for snapshots with equal lists of updates. */
  readonly upgrades: string;
  /** Whether its counts depend on changes since the host booted. */
  readonly hasHistory: boolean;
  /** The value for host_state.counted_input. */
  readonly input: Buffer;
}

/** The facts, holds and running kernel of a snapshot. */
export interface CountedHostFacts {
  readonly facts: CountedFacts;
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
  /** Equal for equal facts about kernels. */
  readonly kernelDigest: string;
}

/** The contents of snapshots, by the digests of CountedSnapshot. */
export interface SnapshotContents {
  readonly facts: ReadonlyMap<string, CountedHostFacts>;
  /** Ids in `upgrades`. */
  readonly upgrades: ReadonlyMap<string, readonly number[]>;
}

/** Bytes of each cache, estimated: a host can send megabytes of facts, updates and holds. */
const cachedBytes = 24 * 1024 * 1024;
/** A parsed object takes about so many times the bytes of its text. */
const bytesPerCharacter = 4;
const bytesPerId = 8;
const bytesPerEntry = 300;

/**
 * Reads what counting needs of stored snapshots. Keeps contents by their digests, because many hosts have equal ones;
 * snapshots never change, so nothing that it keeps can become outdated.
 */
export class CountedSnapshots {
  private readonly facts = new LRUCache<string, CountedHostFacts>({ maxSize: cachedBytes });
  private readonly upgrades = new LRUCache<string, readonly number[]>({ maxSize: cachedBytes });

  /** The snapshots of hosts by id. Throws if one does not exist. */
  async load(
    client: pg.PoolClient,
    hosts: readonly HostToCount[],
  ): Promise<ReadonlyMap<UploadId, CountedSnapshot>> {
    const found = new Map<UploadId, CountedSnapshot>();
    const missing: UploadId[] = [];
    for (const { snapshotId, stored } of hosts) {
      const decoded = stored?.input == null ? null : decodeCountedInput(stored.input, snapshotId);
      if (stored === undefined || decoded === null) missing.push(snapshotId);
      else found.set(snapshotId, { release: stored.release, setId: stored.setId, ...decoded });
    }
    for (const row of await this.read(client, missing)) {
      const { facts, upgrades } = this.keepContents(row);
      const hasHistory = (facts.contents.facts.coreInstalls ?? []).length > 0;
      const parts = { facts: facts.digest, upgrades: upgrades.digest, hasHistory };
      const input = encodeCountedInput(row.id, parts);
      found.set(row.id, { release: row.release, setId: row.setId, ...parts, input });
    }
    for (const { snapshotId } of hosts)
      if (!found.has(snapshotId)) throw new Error('a host refers to a snapshot that does not exist');
    return found;
  }

  /** The contents of loaded snapshots. Reads one snapshot for each content that the cache does not have. */
  async contentsOf(
    client: pg.PoolClient,
    snapshots: ReadonlyMap<UploadId, CountedSnapshot>,
  ): Promise<SnapshotContents> {
    const facts = new Map<string, CountedHostFacts | null>();
    const upgrades = new Map<string, readonly number[] | null>();
    const toRead: UploadId[] = [];
    for (const [id, snapshot] of snapshots) {
      const isKnown = [
        isIn(facts, snapshot.facts, this.facts),
        isIn(upgrades, snapshot.upgrades, this.upgrades),
      ];
      if (isKnown.includes(false)) toRead.push(id);
    }
    for (const row of await this.read(client, toRead)) {
      const snapshot = snapshots.get(row.id);
      const kept = this.keepContents(row);
      if (snapshot === undefined) continue;
      facts.set(snapshot.facts, kept.facts.contents);
      upgrades.set(snapshot.upgrades, kept.upgrades.contents);
    }
    return { facts: complete(facts), upgrades: complete(upgrades) };
  }

  private async read(client: pg.PoolClient, ids: readonly UploadId[]): Promise<readonly SnapshotRow[]> {
    if (ids.length === 0) return [];
    const { rows } = await client.query<SnapshotRow>(
      `SELECT s.id, r.name AS release, s.set_id AS "setId", s.held_ids AS "heldIds", s.running_kernel_id AS "runningKernelId",
              ${countedFactsColumn} AS facts, array_to_string(s.upgrade_ids, ',') AS upgrades
       FROM snapshots s JOIN releases r ON r.id = s.release_id WHERE s.id = ANY($1::uuid[])`,
      [ids],
    );
    return rows;
  }

  private keepContents({ facts: text, heldIds, runningKernelId, upgrades: list }: SnapshotRow) {
    const factsDigest = digestOf(`${text} ${heldIds.join()} ${runningKernelId}`);
    const facts = this.facts.get(factsDigest) ?? contentsOf(text, heldIds, runningKernelId);
    const size = bytesPerEntry + text.length * bytesPerCharacter + heldIds.length * bytesPerId;
    this.facts.set(factsDigest, facts, { size });
    const upgradesDigest = digestOf(list);
    const upgrades = this.upgrades.get(upgradesDigest) ?? (list === '' ? [] : list.split(',').map(Number));
    this.upgrades.set(upgradesDigest, upgrades, {
      size: bytesPerEntry + upgrades.length * bytesPerId,
    });
    return {
      facts: { digest: factsDigest, contents: facts },
      upgrades: { digest: upgradesDigest, contents: upgrades },
    };
  }
}

function contentsOf(
  text: string,
  heldIds: readonly PackageVersionId[],
  runningKernelId: PackageVersionId | null,
): CountedHostFacts {
  const facts = readCountedFacts(JSON.parse(text));
  const kernelDigest = digestOf(JSON.stringify([facts.kernel, facts.platform.virtualization]));
  return { facts, heldIds, runningKernelId, kernelDigest };
}

/** Whether a content is known or already to be read; notes it. Null: it is to be read. */
function isIn<T extends object>(
  known: Map<string, T | null>,
  digest: string,
  cache: LRUCache<string, T>,
): boolean {
  if (known.has(digest)) return true;
  const cached = cache.get(digest) ?? null;
  known.set(digest, cached);
  return cached !== null;
}

function complete<T>(known: ReadonlyMap<string, T | null>): ReadonlyMap<string, T> {
  for (const content of known.values())
    if (content === null) throw new Error('a host refers to a snapshot that does not exist');
  return known as ReadonlyMap<string, T>; // Checked above.
}

interface SnapshotRow extends Omit<CountedHostFacts, 'facts' | 'kernelDigest'> {
  readonly id: UploadId;
  readonly release: Release;
  readonly setId: number;
  readonly facts: string;
  readonly upgrades: string;
}
