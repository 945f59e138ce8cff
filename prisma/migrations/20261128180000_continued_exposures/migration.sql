-- Time to patch counts from the start of what an exposure continues; lists of earlier versions begin anew with each source.
UPDATE "exposure_walks" SET "due" = true;
