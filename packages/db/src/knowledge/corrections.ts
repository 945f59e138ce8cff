/**
 * SQL, to be put behind FROM: the corrections `o` of known feed errors that are about a statement, which is about the package
 * itself, in a record of this one CVE. A record of several CVEs has none, because the others can affect the package.
 * @param statement alias of a row of `advisory_packages`.
 * @param advisories the table of the records; see tablesOf
 */
export function correctionOf(statement: string, advisories = 'advisories'): string {
  return `feed_overrides o, releases r, ${advisories} a
    WHERE a.id = ${statement}.advisory_id AND a.feed_id = o.feed_id AND a.cves @> ARRAY[o.cve] AND cardinality(a.cves) = 1
      AND r.name = o.release AND r.id = ${statement}.release_id AND ${statement}.name = o.package AND ${statement}.names IS NULL`;
}
