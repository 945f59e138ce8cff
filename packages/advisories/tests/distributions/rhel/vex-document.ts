/** A component of a product in a VEX document. */
export interface VexEntry {
  /** The product's CPE after `redhat:`, `enterprise_linux:9::baseos`. */
  readonly product: string;
  /** `openssl-1:3.0.7-27.el9.src` if fixed, `openssl.src` if not. */
  readonly component: string;
  /** Default: derived from the component. Empty: none. */
  readonly purl?: string;
  readonly status: 'fixed' | 'known_affected' | 'under_investigation' | 'known_not_affected';
  /** `no_fix_planned: Will not fix`, or the erratum of a fix. */
  readonly remedy?: string;
  readonly impact?: string;
}

/** A document of Red Hat's VEX about one CVE, in the layout of the archive. */
export function vexDocument(
  entries: readonly VexEntry[],
  { cve = 'CVE-2024-0001', aggregate = 'Moderate' } = {},
): Record<string, unknown> {
  const idOf = ({ product, component }: VexEntry) => `${product}/${component}`;
  const idsWith = (status: string) => entries.filter((entry) => entry.status === status).map(idOf);
  return {
    document: {
      aggregate_severity: { text: aggregate },
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: 'something: is wrong',
      tracking: { id: cve, current_release_date: '2024-08-02T12:27:56+00:00', status: 'final' },
    },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'Red Hat',
          branches: [
            ...unique(entries.map(({ product }) => product)).map((product) => ({
              category: 'product_name',
              name: product,
              product: {
                product_id: product,
                product_identification_helper: { cpe: `cpe:/a:redhat:${product}` },
              },
            })),
            ...entries.map((entry) => ({
              category: 'product_version',
              name: entry.component,
              product: {
                product_id: entry.component,
                ...(entry.purl === ''
                  ? {}
                  : { product_identification_helper: { purl: entry.purl ?? purlOf(entry.component) } }),
              },
            })),
          ],
        },
      ],
      relationships: entries.map((entry) => ({
        category: 'default_component_of',
        full_product_name: { name: idOf(entry), product_id: idOf(entry) },
        product_reference: entry.component,
        relates_to_product_reference: entry.product,
      })),
    },
    vulnerabilities: [
      {
        cve,
        release_date: '2024-01-15T00:00:00+00:00',
        product_status: Object.fromEntries(
          ['fixed', 'known_affected', 'under_investigation', 'known_not_affected'].map((status) => [
            status,
            idsWith(status),
          ]),
        ),
        remediations: entries.flatMap((entry) =>
          entry.remedy === undefined ? [] : [{ ...remedyOf(entry.remedy), product_ids: [idOf(entry)] }],
        ),
        threats: entries.flatMap((entry) =>
          entry.impact === undefined
            ? []
            : [{ category: 'impact', details: entry.impact, product_ids: [idOf(entry)] }],
        ),
        scores: [
          {
            cvss_v3: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
            products: entries.map(idOf),
          },
        ],
      },
    ],
  };
}

function remedyOf(text: string) {
  if (text.startsWith('RH'))
    return { category: 'vendor_fix', details: 'Update.', url: `https://access.redhat.com/errata/${text}` };
  const [category, details] = text.split(': ');
  return { category, details };
}

function purlOf(component: string): string {
  const [, name = '', epoch = '', version = '', architecture = ''] =
    /^(.+)-(\d+):(.+)\.([a-z0-9_]+)$/.exec(component) ?? [];
  if (name === '') return `pkg:rpm/redhat/${component.replace(/\.src$/, '')}?arch=src`;
  const ofEpoch = epoch === '0' ? '' : `&epoch=${epoch}`;
  return `pkg:rpm/redhat/${name}@${encodeURIComponent(version)}?arch=${architecture}${ofEpoch}`;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
