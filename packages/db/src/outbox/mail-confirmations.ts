import { z } from 'zod';
import { ownBytes } from '../core/bytes.ts';
import type { Database } from '../core/database.ts';
import { inTransaction, queryRows } from '../core/transaction.ts';
import { Prisma } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../people/audit-events.ts';

/** For how long a link that confirms an address works, in days. */
export const confirmationDays = 7;

/** An address of a channel to which nothing but a request to confirm it is sent. */
export interface UnconfirmedRecipient {
  readonly channelId: string;
  readonly address: string;
}

/** Tokens with which the receivers at addresses of channels agree to get messages. */
export interface MailConfirmationStore {
  /** Those of the addresses that are of no user who may sign in. */
  outsideAddresses(addresses: readonly string[]): Promise<readonly string[]>;
  /** Confirms the address of a token, once. False if the token is not known, was used or replaced, or is over. */
  confirm(tokenHash: Uint8Array, by: (address: string) => AuditActor): Promise<boolean>;
  /** Keeps the token of a request that is sent now, in place of an earlier one of the same address. */
  begin(recipient: UnconfirmedRecipient, tokenHash: Uint8Array): Promise<void>;
  /** Forgets the token of a request that could not be sent. */
  drop(tokenHash: Uint8Array): Promise<void>;
  /** Those of the addresses of a channel that were asked since a time. */
  askedSince(channelId: string, since: Date): Promise<readonly string[]>;
}

const tokenRow = z.object({ channel_id: z.string(), address: z.string(), name: z.string() });

/** The confirmations of one database. */
export function createMailConfirmationStore({ prisma }: Database): MailConfirmationStore {
  return {
    async outsideAddresses(addresses) {
      const inside = await prisma.user.findMany({
        where: { email: { in: addresses.map((address) => address.toLowerCase()) }, disabledAt: null },
        select: { email: true },
      });
      const known = new Set(inside.map(({ email }) => email));
      return addresses.filter((address) => !known.has(address.toLowerCase()));
    },
    confirm: (tokenHash, by) =>
      inTransaction(prisma, async (tx) => {
        const hash = ownBytes(tokenHash);
        // The channel first, as where channels are changed and deleted.
        const [found] = await queryRows(
          tx,
          tokenRow,
          Prisma.sql`SELECT m.channel_id, m.address, c.name FROM notification_channels c
            JOIN mail_confirmations m ON m.channel_id = c.id
            WHERE m.token_hash = ${hash} AND m.expires_at > now() FOR UPDATE OF c`,
        );
        if (found === undefined) return false;
        const { channel_id: channelId, address, name } = found;
        if ((await tx.mailConfirmation.deleteMany({ where: { tokenHash: hash } })).count === 0) return false;
        await tx.$executeRaw`UPDATE notification_channels SET unconfirmed = array_remove(unconfirmed, ${address})
          WHERE id = ${channelId}::uuid`;
        await recordAuditEvent(tx, {
          action: 'channel.address_confirmed',
          actor: by(address),
          target: { kind: 'channel', id: channelId, name },
          details: { address },
        });
        return true;
      }),
    async begin({ channelId, address }, tokenHash) {
      await prisma.$executeRaw`
        INSERT INTO mail_confirmations (token_hash, channel_id, address, expires_at)
        VALUES (${ownBytes(tokenHash)}, ${channelId}::uuid, ${address}, now() + make_interval(days => ${confirmationDays}::int))
        ON CONFLICT (channel_id, address) DO UPDATE
        SET token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at`;
    },
    async drop(tokenHash) {
      await prisma.mailConfirmation.deleteMany({ where: { tokenHash: ownBytes(tokenHash) } });
    },
    async askedSince(channelId, since) {
      const rows = await prisma.mailConfirmation.findMany({
        where: { channelId, createdAt: { gte: since } },
        select: { address: true },
      });
      return rows.map(({ address }) => address);
    },
  };
}
