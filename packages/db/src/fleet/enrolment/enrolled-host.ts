import { type ApprovalStatus, type HostId, machineKey } from '@plimsoll/model';
import { ownBytes } from '../../core/bytes.ts';
import { findMachineIdConflict, lockRow } from '../../core/locks.ts';
import { statementsIn, type Transaction } from '../../core/transaction.ts';
import type { RegistrationToken } from '../../generated/client.ts';
import type { EnrolmentRequest, EnrolmentResult } from './enrolment-request.ts';

/** The maximum length of a display name taken from a hostname, in characters. */
const longestDisplayName = 200;

/** For how long a host that its token approved shares an allowance with the others of the token, in milliseconds. */
const sharingMs = 24 * 60 * 60_000;

/** Adds the host of a request: pending if the token does not approve it, or if another host has its machine id. */
export async function createHost(
  tx: Transaction,
  token: RegistrationToken,
  request: EnrolmentRequest,
  now: Date,
): Promise<EnrolmentResult> {
  const { hostId, hostname, machineId, ipAddress, staleAfterSeconds } = request;
  const { osFamily, osName, osMajor, osVersion, architecture } = request;
  const conflict = await findMachineIdConflict(statementsIn(tx), machineId, hostId);
  const approvalStatus: ApprovalStatus = token.autoApprove && conflict === null ? 'approved' : 'pending';
  await tx.host.createMany({
    data: {
      id: hostId,
      onboardingMode: 'agent',
      approvalStatus,
      displayName: [...hostname].slice(0, longestDisplayName).join(''),
      hostname,
      machineId,
      machineIdConflictWith: conflict,
      ipAddress,
      tags: token.tags,
      enrolledExposure: token.exposure,
      registrationTokenId: token.id,
      sharesAllowanceUntil: approvalStatus === 'approved' ? new Date(now.getTime() + sharingMs) : null,
      createdAt: now,
    },
  });
  await tx.hostContact.createMany({ data: { hostId, lastSeenAt: now, staleAfterSeconds } });
  await tx.hostState.createMany({ data: { hostId, osFamily, osName, osMajor, osVersion, architecture } });
  await insertAccessToken(tx, hostId, request);
  return { kind: 'enrolled', hostId, approvalStatus };
}

/**
 * Enrols a host again with a token issued for it, and revokes its earlier access tokens. If another host has the
 * machine id, the host must be approved again, unless it already had this id, because then the conflict and the
 * approval are known.
 */
export async function enrolAgain(
  tx: Transaction,
  hostId: HostId,
  request: EnrolmentRequest,
  now: Date,
): Promise<EnrolmentResult> {
  const { machineId, hostname } = request;
  // Lock order: the row before the machine id, as in matching. Inserts of rows that refer to the host need not wait.
  await lockRow(tx, 'hosts', hostId, 'noKeyUpdate');
  const before = await tx.host.findUnique({
    where: { id: hostId },
    select: { machineId: true, approvalStatus: true },
  });
  if (before === null || before.approvalStatus === 'retired') return { kind: 'refused' };
  await tx.host.updateMany({ where: { id: hostId }, data: { machineId, hostname } });
  if (machineKey(before.machineId) !== machineKey(machineId)) {
    const conflict = await findMachineIdConflict(statementsIn(tx), machineId, hostId);
    await tx.host.updateMany({
      where: { id: hostId },
      data: {
        machineIdConflictWith: conflict,
        ...(conflict === null ? {} : { approvalStatus: 'pending' }),
      },
    });
  }
  return replaceToken(tx, hostId, request, now);
}

/** Revokes the access tokens of a host and stores the one of the request. */
export async function replaceToken(
  tx: Transaction,
  hostId: HostId,
  request: EnrolmentRequest,
  now: Date,
): Promise<EnrolmentResult> {
  await lockRow(tx, 'hosts', hostId, 'update');
  const host = await tx.host.findUnique({ where: { id: hostId }, select: { approvalStatus: true } });
  if (host === null || host.approvalStatus === 'retired') return { kind: 'refused' };
  await tx.hostAccessToken.updateMany({ where: { hostId, revokedAt: null }, data: { revokedAt: now } });
  await insertAccessToken(tx, hostId, request);
  // Only these stores write these values.
  return { kind: 'enrolled', hostId, approvalStatus: host.approvalStatus as ApprovalStatus };
}

async function insertAccessToken(tx: Transaction, hostId: HostId, request: EnrolmentRequest): Promise<void> {
  await tx.hostAccessToken.createMany({
    data: { id: request.accessTokenId, hostId, tokenHash: ownBytes(request.accessTokenHash) },
  });
}
