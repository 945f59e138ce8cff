-- A block of postings has 1,024 sets instead of 4,096. The scheduler posts all of them anew.
TRUNCATE "set_postings", "posted_blocks";
