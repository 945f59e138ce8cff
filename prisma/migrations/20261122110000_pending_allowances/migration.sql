-- What hosts share that enrolled with one registration token and wait for approval (docs/decisions/0050).
CREATE TABLE "pending_allowances" (
    "token_id" UUID NOT NULL,
    "uploads_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "bytes_whole_at" TIMESTAMPTZ(3) NOT NULL,
    "entries_whole_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_allowances_pkey" PRIMARY KEY ("token_id")
);
ALTER TABLE "pending_allowances" SET (fillfactor = 50);

-- The token that a host enrolled with. For hosts that wait for approval already, the audit log knows it.
ALTER TABLE "hosts" ADD COLUMN "registration_token_id" UUID;
UPDATE "hosts" h SET "registration_token_id" = (e.details ->> 'registration_token_id')::uuid
FROM "audit_events" e
WHERE h.approval_status = 'pending' AND e.action = 'host.enrolled' AND e.target_id = h.id::text;

ALTER TABLE "registration_tokens" ADD COLUMN "enrolments_whole_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "refusal_noted_at" TIMESTAMPTZ(3);

ALTER TABLE "uploads" ADD COLUMN "parse_after" TIMESTAMPTZ(3),
  ADD COLUMN "changes_charged" BOOLEAN NOT NULL DEFAULT false;
