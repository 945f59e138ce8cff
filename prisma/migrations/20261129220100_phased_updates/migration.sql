-- Updates that their publisher offers to other hosts first. All hosts are counted again under the new rules.
ALTER TABLE "host_state" ADD COLUMN "phased_updates" INTEGER NOT NULL DEFAULT 0;
