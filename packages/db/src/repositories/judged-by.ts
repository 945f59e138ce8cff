/** What a host of `hosts h` is judged by besides its reports, as SQL: the settings' fingerprint and the host's tags. */
export function judgedBySql(fingerprint: string): string {
  return `md5(${fingerprint}::text || ' ' || array_to_string(h.tags, ' '))`;
}
