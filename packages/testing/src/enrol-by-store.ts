import { createHash, randomBytes } from 'node:crypto';
import {
  createEnrolmentStore,
  createRegistrationTokenStore,
  type Database,
  type EnrolmentLimits,
  type EnrolmentRequest,
  newId,
  systemActor,
} from '@plimsoll/db';
import { type HostId, type RegistrationTokenId, wholeFleet } from '@plimsoll/model';

const sha256 = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

/** Issues a registration token without automatic approval for many hosts; returns its id and secret. */
export async function issueToken(
  db: Database,
  changes: { readonly name?: string; readonly autoApprove?: boolean } = {},
): Promise<{ readonly id: RegistrationTokenId; readonly secret: string }> {
  const secret = randomBytes(8).toString('hex');
  const { id } = await createRegistrationTokenStore(db).create(
    wholeFleet,
    {
      id: newId<RegistrationTokenId>(),
      name: changes.name ?? 'leaked',
      tokenHash: sha256(secret),
      autoApprove: changes.autoApprove ?? false,
      maxUses: 100_000,
      hostId: null,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
    systemActor('test'),
  );
  return { id, secret };
}

/** The enrolment request of a new host with a registration token. */
export function enrolmentOf(secret: string, changes: Partial<EnrolmentRequest> = {}): EnrolmentRequest {
  return {
    tokenHash: sha256(secret),
    idempotencyKeyHash: null,
    hostId: newId<HostId>(),
    accessTokenId: newId<string>(),
    accessTokenHash: randomBytes(32),
    hostname: 'web-1',
    machineId: randomBytes(16).toString('hex'),
    ipAddress: null,
    osFamily: 'apt',
    osName: 'debian',
    osMajor: 12,
    osVersion: '12.8',
    architecture: 'amd64',
    staleAfterSeconds: 93_600,
    origin: { ipAddress: null, requestId: null },
    ...changes,
  };
}

/** Enrols one host with a registration token. */
export async function enrolHost(db: Database, secret: string, limits?: EnrolmentLimits): Promise<HostId> {
  const result = await createEnrolmentStore(db, limits).enrol(enrolmentOf(secret));
  if (result.kind !== 'enrolled') throw new Error(`the host was not enrolled: ${result.kind}`);
  return result.hostId;
}
