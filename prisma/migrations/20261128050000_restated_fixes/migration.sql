-- Whether open exposures had a fix is counted as it was known then; lists of earlier versions only said what is known last.
UPDATE exposure_walks SET due = true;
