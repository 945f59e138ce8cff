import type { HostExposure, HostId, OnboardingMode } from '@plimsoll/model';
import { databaseTime, type Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';

/** A host that a user adds. */
export interface NewHost {
  readonly id: HostId;
  readonly onboardingMode: Exclude<OnboardingMode, 'agent'>;
  readonly displayName: string;
  readonly hostname: string;
  /** None if omitted. */
  readonly tags?: readonly string[];
  /** Null or omitted: not set by hand. */
  readonly exposure?: HostExposure | null;
  readonly staleAfterSeconds: number;
}

/** Adds a host as approved, in the caller's transaction. */
export async function insertHost(tx: Transaction, host: NewHost, by: AuditActor): Promise<void> {
  const { id, onboardingMode, displayName, hostname, tags = [], exposure = null, staleAfterSeconds } = host;
  const now = await databaseTime(tx);
  await tx.host.createMany({
    data: {
      id,
      onboardingMode,
      approvalStatus: 'approved',
      displayName,
      hostname,
      tags: [...tags],
      setExposure: exposure,
      createdAt: now,
    },
  });
  await tx.hostContact.createMany({ data: { hostId: id, lastSeenAt: now, staleAfterSeconds } });
  await tx.hostState.createMany({ data: { hostId: id } });
  await recordAuditEvent(tx, {
    action: 'host.created',
    actor: by,
    target: { kind: 'host', id, name: displayName },
    details: {
      onboarding_mode: onboardingMode,
      hostname,
      ...(tags.length === 0 ? {} : { tags }),
      ...(exposure === null ? {} : { exposure }),
    },
  });
}
