import { randomInt } from 'node:crypto';
import { newId } from '@plimsoll/db';
import { AppError, type HostId } from '@plimsoll/model';
import { osFamilyOf } from '@plimsoll/reports';
import { hashSecret, newSecretToken } from '../../auth/authenticate.ts';
import { staleAfterSeconds } from '../hosts/stale-after.ts';
import type { Handler } from '../operation-request.ts';

/** An agent tries five times and adds about ten seconds, so all hosts of a wave get through within these waits. */
const leastWaitSeconds = 20;
const mostWaitSeconds = 120;
const tooManyWords =
  'too many hosts enrol with one registration token: if you do not enrol that many, revoke the token and delete its pending hosts';

/** POST /agent/register */
export const registerAgent: Handler<'registerAgent'> = async (request, services) => {
  const { body, headers } = request;
  const { reportIntervalSeconds } = services.settings;
  const { os_name, os_version, architecture, ip_address } = body.metadata ?? {};
  request.requireClientName(body.hostname);
  const hostAccessToken = newSecretToken('plh');
  const key = headers['idempotency-key'];
  const result = await services.stores.enrolments.enrol({
    tokenHash: hashSecret(body.registration_token),
    idempotencyKeyHash: key === undefined ? null : hashSecret(key),
    hostId: newId<HostId>(),
    accessTokenId: newId(),
    accessTokenHash: hashSecret(hostAccessToken),
    hostname: body.hostname,
    machineId: body.machine_id,
    ipAddress: ip_address || null,
    osFamily: osFamilyOf(os_name ?? ''),
    osName: (os_name ?? '').trim().toLowerCase(),
    osMajor: majorOf(os_version ?? ''),
    osVersion: os_version ?? '',
    architecture: architecture ?? '',
    staleAfterSeconds: staleAfterSeconds(reportIntervalSeconds),
    origin: { ipAddress: request.address || null, requestId: request.requestId },
  });
  if (result.kind === 'too_many') {
    const { tokenId, tokenName, isFirst } = result;
    if (isFirst) services.logger.warn({ tokenId, tokenName }, tooManyWords);
    throw new AppError(
      'rate_limited',
      'Too many hosts enrol with this registration token. Try again later.',
      {
        retryAfterSeconds: randomInt(leastWaitSeconds, mostWaitSeconds + 1),
      },
    );
  }
  if (result.kind === 'refused') {
    throw new AppError(
      'invalid_registration_token',
      'The registration token is unknown, used up, expired or revoked.',
    );
  }
  return {
    kind: 'json',
    status: 201,
    body: {
      host_id: result.hostId,
      host_access_token: hostAccessToken,
      approval_status: result.approvalStatus,
      report_interval_seconds: reportIntervalSeconds,
    },
  };
};

/** The first number of a version; 0 if it does not start with a number or is not a release's. */
function majorOf(version: string): number {
  return Number(/^\s*(\d{1,8})(?!\d)/.exec(version)?.[1] ?? 0);
}
