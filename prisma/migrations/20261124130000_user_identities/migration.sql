-- Users who sign in with an OpenID Connect provider: docs/decisions/0090.

-- They have no password.
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;
-- Until when a password works although local accounts are switched off.
ALTER TABLE "users" ADD COLUMN "password_allowed_until" TIMESTAMPTZ(3);

CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer","subject")
);
CREATE INDEX "user_identities_user_id_idx" ON "user_identities"("user_id");
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each pending sign-in is used once.
CREATE TABLE "spent_sign_ins" (
    "id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "spent_sign_ins_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "spent_sign_ins_expires_at_idx" ON "spent_sign_ins"("expires_at");
