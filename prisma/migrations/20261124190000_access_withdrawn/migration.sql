-- Users whose last sign-in the identity provider did not grant a role: docs/decisions/0090.

ALTER TABLE "users" ADD COLUMN "access_withdrawn_at" TIMESTAMPTZ(3);
