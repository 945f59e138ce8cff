-- Times in which exposures were waived are counted; lists of earlier versions only said what was waived then.
UPDATE exposure_walks SET due = true WHERE EXISTS (SELECT FROM waivers);
