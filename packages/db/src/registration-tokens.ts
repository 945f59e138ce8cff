import { AppError, type HostId, type RegistrationTokenId } from '@plimsoll/model';
import type { Database } from './database.ts';
import type { RegistrationToken as RegistrationTokenRow } from './generated/client.ts';
import { isUuid } from './uuid.ts';

/** What is known of a registration token; the secret itself is not. */
export interface RegistrationToken {
  readonly id: RegistrationTokenId;
  readonly name: string;
  readonly autoApprove: boolean;
  readonly maxUses: number;
  readonly uses: number;
  /** The one host it may enrol again, if it was issued for one. */
  readonly hostId: HostId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** A registration token to be. */
export interface NewRegistrationToken {
  readonly id: RegistrationTokenId;
  readonly name: string;
  /** SHA-256 of the secret. */
  readonly tokenHash: Uint8Array<ArrayBuffer>;
  readonly autoApprove: boolean;
  readonly maxUses: number;
  readonly hostId: string | null;
  readonly expiresAt: Date;
}

/** The tokens hosts enrol with. */
export interface RegistrationTokenStore {
  /** Throws `not_found` when it is for a host that does not exist. */
  create(token: NewRegistrationToken): Promise<RegistrationToken>;
  /** All of them, newest first. */
  list(): Promise<readonly RegistrationToken[]>;
  /** Ends a token; false when there is none of that id. */
  revoke(id: string): Promise<boolean>;
}

/** The registration tokens of one database. */
export function createRegistrationTokenStore({ prisma }: Database): RegistrationTokenStore {
  return {
    async create({ hostId, ...token }) {
      if (hostId !== null) {
        const host = isUuid(hostId) ? await prisma.host.findUnique({ where: { id: hostId } }) : null;
        if (host === null) throw new AppError('not_found', 'There is no host of this id.');
      }
      return toToken(await prisma.registrationToken.create({ data: { ...token, hostId } }));
    },
    async list() {
      return (await prisma.registrationToken.findMany({ orderBy: { id: 'desc' } })).map(toToken);
    },
    async revoke(id) {
      if (!isUuid(id)) return false;
      const found = await prisma.registrationToken.findUnique({ where: { id }, select: { revokedAt: true } });
      if (found === null) return false;
      if (found.revokedAt === null) {
        await prisma.registrationToken.updateMany({
          where: { id, revokedAt: null },
          data: { revokedAt: new Date() },
        });
      }
      return true;
    },
  };
}

function toToken(row: RegistrationTokenRow): RegistrationToken {
  const { id, name, autoApprove, maxUses, uses, hostId, createdAt, expiresAt, revokedAt } = row;
  // Ids are written by these stores alone.
  return {
    id: id as RegistrationTokenId,
    name,
    autoApprove,
    maxUses,
    uses,
    hostId: hostId as HostId | null, // Likewise.
    createdAt,
    expiresAt,
    revokedAt,
  };
}
