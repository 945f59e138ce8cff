import { ownBytes } from '../connection/bytes.ts';
import type { Database } from '../database.ts';

/** A collector by what identifies it. */
export interface Collector {
  /** SHA-256 of the script. */
  readonly sha256: Uint8Array;
  readonly version: string;
  readonly script: Uint8Array;
}

/** Every collector this installation ever sent to hosts, so that a host whose owner pinned an old one still gets it. */
export interface CollectorStore {
  /** Keeps a collector; one that is kept already stays as it is. */
  keep(collector: Collector): Promise<void>;
  /** The one that was kept last: what a host gets that asks for none in particular. Null before the first. */
  newest(): Promise<Collector | null>;
  /** The collector of a hash; null if this installation never had it. */
  find(sha256: Uint8Array): Promise<Collector | null>;
}

const select = { sha256: true, version: true, script: true } as const;

/** The collectors of one database. */
export function createCollectorStore({ prisma }: Database): CollectorStore {
  return {
    async keep({ sha256, version, script }) {
      const data = { sha256: ownBytes(sha256), version, script: ownBytes(script) };
      await prisma.collector.createMany({ data, skipDuplicates: true });
    },
    newest: () => prisma.collector.findFirst({ select, orderBy: { createdAt: 'desc' } }),
    find: (sha256) => prisma.collector.findUnique({ select, where: { sha256: ownBytes(sha256) } }),
  };
}
