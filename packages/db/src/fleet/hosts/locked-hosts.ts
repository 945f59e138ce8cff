import { AppError, type AuditDetails } from '@plimsoll/model';
import { z } from 'zod';
import { queryRows, type Transaction } from '../../core/transaction.ts';
import { Prisma } from '../../generated/client.ts';

const lockedHost = z.object({
  id: z.string(),
  name: z.string(),
  hostname: z.string(),
  approvalStatus: z.string(),
  onboardingMode: z.string(),
  sharesAllowance: z.boolean(),
  machineId: z.string(),
  tags: z.array(z.string()),
  setTags: z.array(z.string()),
  setExposure: z.string().nullable(),
  isPaused: z.boolean().nullable(),
});

/** A host as it is while its row is locked. */
export type LockedHost = z.output<typeof lockedHost>;

/** A change of a host with what the audit log says of it. */
export interface HostDeed {
  readonly host: LockedHost;
  readonly details: AuditDetails;
  readonly pullJobId?: string;
}

/** Locks hosts in the order of their ids, as everywhere. `exclusive`: also against uploads that arrive meanwhile. */
export async function lockHosts(
  tx: Transaction,
  ids: readonly string[],
  exclusive: boolean,
): Promise<readonly LockedHost[]> {
  const strength = exclusive ? Prisma.sql`FOR UPDATE OF h` : Prisma.sql`FOR NO KEY UPDATE OF h`;
  return queryRows(
    tx,
    lockedHost,
    Prisma.sql`SELECT h.id::text AS id, h.display_name AS name, h.hostname, h.approval_status AS "approvalStatus",
        h.onboarding_mode AS "onboardingMode", h.shares_allowance_until IS NOT NULL AS "sharesAllowance",
        h.machine_id AS "machineId", h.tags, h.set_tags AS "setTags", h.set_exposure AS "setExposure",
        (SELECT t.pull_paused FROM ssh_targets t WHERE t.host_id = h.id) AS "isPaused"
      FROM hosts h WHERE h.id = ANY(${[...ids]}::uuid[]) ORDER BY h.id ${strength}`,
  );
}

/** The error of what needs a host in service. */
export function retired(): AppError {
  return new AppError('host_retired', 'The host is retired. Reinstate it first.');
}
