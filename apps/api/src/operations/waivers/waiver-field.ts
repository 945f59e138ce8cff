import type { AppliedWaiver } from '@plimsoll/advisories';

/** The waiver of a finding, an advisory or a package as answered; nothing without one. */
export function waiverField(waiver: AppliedWaiver | null) {
  if (waiver === null) return {};
  const { id, kind, createdBy, expiresAt } = waiver;
  return { waiver: { id, kind, created_by: createdBy, expires_at: expiresAt.toISOString() } };
}
