/** SQL: a digest of what a host of `hosts h` is judged by besides its reports: the settings' fingerprint and its tags. */
export function judgedBySql(fingerprint: string): string {
  return `md5(${fingerprint}::text || ' ' || array_to_string(h.tags, ' '))`;
}
