/** The content of the sample document; by default one important update of Leap 15.6. */
export interface SaidInCsaf {
  readonly id?: string;
  /** Ids of products in `recommended`. */
  readonly products: readonly string[];
  readonly severity?: string | null;
  readonly cves?: readonly string[];
  readonly impact?: string;
}

/** An advisory in the shape of SUSE's CSAF generator. */
export function csafAdvisory({
  id = 'SUSE-SU-2026:0001-1',
  products,
  severity = 'important',
  cves = ['CVE-2026-0001'],
  impact = 'moderate',
}: SaidInCsaf) {
  return {
    document: {
      ...(severity === null ? {} : { aggregate_severity: { text: severity } }),
      category: 'csaf_security_advisory',
      csaf_version: '2.0',
      publisher: { category: 'vendor', namespace: 'https://www.suse.com/' },
      title: 'Security update for a package',
      tracking: {
        id,
        initial_release_date: '2026-05-01T00:00:00Z',
        current_release_date: '2026-05-02T00:00:00Z',
      },
    },
    product_tree: {},
    vulnerabilities: cves.map((cve) => ({
      cve,
      product_status: { recommended: products },
      remediations: [{ category: 'vendor_fix', details: 'Update.', product_ids: products }],
      threats: [{ category: 'impact', details: impact }],
    })),
  };
}
