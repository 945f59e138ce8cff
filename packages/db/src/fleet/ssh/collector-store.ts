import { ownBytes } from '../../core/bytes.ts';
import type { Database } from '../../core/database.ts';

/** A collector by what identifies it. */
export interface Collector {
  /** SHA-256 of the script. */
  readonly sha256: Uint8Array;
  readonly version: string;
  readonly script: Uint8Array;
}

/** Every collector that this installation ever sent to hosts, so that hosts that pin an old one still get it. */
export interface CollectorStore {
  /** Stores a collector; keeps an existing row unchanged. */
  keep(collector: Collector): Promise<void>;
  /** The collector that was stored last, which hosts without a pin get. Null before the first. */
  newest(): Promise<Collector | null>;
  /** The collector with a hash; null if this installation never had it. */
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
