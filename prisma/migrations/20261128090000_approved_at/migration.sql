-- Since when a host that had to wait is in service: its silence counts from then.
ALTER TABLE "hosts" ADD COLUMN "approved_at" TIMESTAMPTZ(3);

-- Written by hand: what the schema file cannot say.

CREATE FUNCTION "note_approval"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.approved_at := now();
  RETURN NEW;
END $$;
CREATE TRIGGER "hosts_approved" BEFORE UPDATE OF "approval_status" ON "hosts" FOR EACH ROW
  WHEN (NEW."approval_status" = 'approved' AND OLD."approval_status" <> 'approved')
  EXECUTE FUNCTION note_approval();
