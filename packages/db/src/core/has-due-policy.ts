/** SQL: whether a policy of due dates is set. */
export const hasDuePolicy = `EXISTS (SELECT FROM policies WHERE name = 'due_dates'
  AND (document->>'preset' IS NOT NULL OR document->'rules' <> '[]'::jsonb))`;
