/**
 * SQL: a digest of everything besides reports that affects the judgement of a host in `hosts h`: the settings'
 * fingerprint and its tags.
 */
export function judgedBySql(fingerprint: string): string {
  return `md5(${fingerprint}::text || ' ' || array_to_string(h.tags, ' '))`;
}
