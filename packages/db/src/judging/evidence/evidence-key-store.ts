import { ownBytes } from '../../core/bytes.ts';
import type { Database } from '../../core/database.ts';
import { inTransaction, type Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';

/** A key that signs evidence packs, or did. */
export interface EvidenceKey {
  /** The fingerprint of the public half. */
  readonly fingerprint: string;
  /** 32 bytes. */
  readonly publicBytes: Uint8Array;
  readonly createdAt: Date;
  /** The user who made it; null: the service, at the first pack. */
  readonly createdBy: string | null;
  /** Null: it is the one in use. */
  readonly retiredAt: Date | null;
}

/** A key with its private half, sealed by the API. */
export interface SealedEvidenceKey extends EvidenceKey {
  readonly sealed: Uint8Array;
}

/** A pair to be stored. */
export type NewEvidenceKey = Pick<SealedEvidenceKey, 'fingerprint' | 'publicBytes' | 'sealed'>;

/** The keys that sign evidence packs. Public halves stay, so that old packs can be checked. */
export interface EvidenceKeyStore {
  /** The newest first. */
  list(): Promise<readonly EvidenceKey[]>;
  /** The key in use; null before the first pack. */
  current(): Promise<SealedEvidenceKey | null>;
  /** Stores the first key. If there is one in use already, that one is the answer. */
  begin(key: NewEvidenceKey): Promise<SealedEvidenceKey>;
  /** Puts a key in use in place of the present one, whose private half is deleted. */
  replace(key: NewEvidenceKey, by: AuditActor): Promise<EvidenceKey>;
  /** Replaces the box of a key, unless it changed meanwhile. */
  reseal(fingerprint: string, before: Uint8Array, after: Uint8Array): Promise<void>;
}

/** The evidence keys of one database. */
export function createEvidenceKeyStore({ prisma }: Pick<Database, 'prisma'>): EvidenceKeyStore {
  const current = async (): Promise<SealedEvidenceKey | null> => {
    const row = await prisma.evidenceKey.findFirst({ where: { retiredAt: null } });
    return row === null || row.sealed === null ? null : { ...row, sealed: row.sealed };
  };
  return {
    async list() {
      return prisma.evidenceKey.findMany({
        omit: { sealed: true },
        orderBy: [{ createdAt: 'desc' }, { fingerprint: 'asc' }],
      });
    },
    current,
    async begin(key) {
      // Of two processes at once, the unique index of keys in use lets one row in.
      await prisma.evidenceKey.createMany({ data: rowOf(key), skipDuplicates: true });
      const found = await current();
      if (found === null) throw new Error('no evidence key is in use');
      return found;
    },
    replace: (key, by) => inTransaction(prisma, (tx) => replace(tx, key, by)),
    async reseal(fingerprint, before, after) {
      await prisma.evidenceKey.updateMany({
        where: { fingerprint, sealed: ownBytes(before) },
        data: { sealed: ownBytes(after) },
      });
    },
  };
}

async function replace(tx: Transaction, key: NewEvidenceKey, by: AuditActor): Promise<EvidenceKey> {
  const old = await tx.evidenceKey.findFirst({ where: { retiredAt: null }, omit: { sealed: true } });
  await tx.evidenceKey.updateMany({
    where: { retiredAt: null },
    data: { retiredAt: new Date(), sealed: null },
  });
  await tx.evidenceKey.createMany({ data: { ...rowOf(key), createdBy: by.name } });
  await recordAuditEvent(tx, {
    action: 'evidence_key.created',
    actor: by,
    target: { kind: 'evidence_key', id: key.fingerprint, name: null },
    details: { replaces: old?.fingerprint ?? null },
  });
  return tx.evidenceKey.findUniqueOrThrow({
    where: { fingerprint: key.fingerprint },
    omit: { sealed: true },
  });
}

function rowOf({ fingerprint, publicBytes, sealed }: NewEvidenceKey) {
  return { fingerprint, publicBytes: ownBytes(publicBytes), sealed: ownBytes(sealed) };
}
