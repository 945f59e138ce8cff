-- Digests of what a host was counted by, so that a recount finds equal hosts without their snapshots.
ALTER TABLE "host_state" ADD COLUMN "counted_input" BYTEA;
