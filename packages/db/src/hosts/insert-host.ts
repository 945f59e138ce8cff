import type { HostId, OnboardingMode } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import type { Transaction } from '../database.ts';

/** A host that a person adds. */
export interface NewHost {
  readonly id: HostId;
  readonly onboardingMode: Exclude<OnboardingMode, 'agent'>;
  readonly displayName: string;
  readonly hostname: string;
  readonly staleAfterSeconds: number;
}

/** Adds a host, approved, in the caller's transaction. */
export async function insertHost(on: Transaction, host: NewHost, by: AuditActor): Promise<void> {
  await on.query(
    `WITH host AS (
       INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
       VALUES ($1, $2, 'approved', $3, $4) RETURNING id, created_at),
     contact AS (
       INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds) SELECT id, created_at, $5 FROM host)
     INSERT INTO host_state (host_id) SELECT id FROM host`,
    [host.id, host.onboardingMode, host.displayName, host.hostname, host.staleAfterSeconds],
  );
  await recordAuditEventBySql(on, {
    action: 'host.created',
    actor: by,
    target: { kind: 'host', id: host.id, name: host.displayName },
    details: { onboarding_mode: host.onboardingMode, hostname: host.hostname },
  });
}
