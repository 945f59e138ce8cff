import { type CountCheck, type CountExtent, type CountReader, spread } from './count-reader.ts';

const formats = ['openvex', 'csaf', 'cyclonedx'] as const;
type Format = (typeof formats)[number];

/** What a document says of each host, by the id of the host: one text for each thing said, with how often. */
type Facts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * What VEX documents of the fleet, or with `tag=…` of some of it, say of each host, with the document of the host itself, in
 * each format.
 */
export async function* compareVex(
  reader: CountReader,
  hosts: readonly { readonly id: string }[],
  {
    query = '',
    cve = null,
    extent,
  }: {
    readonly query?: string;
    /** The only CVE to compare; null: everything. */
    readonly cve?: string | null;
    readonly extent: Pick<CountExtent, 'hosts'>;
  },
): AsyncGenerator<CountCheck> {
  for (const format of formats) {
    const parts = [`format=${format}`, query, cve === null ? '' : `cve=${cve}`].filter((part) => part !== '');
    const fleet = readFacts(format, await reader.body(`/vex?${parts.join('&')}`), cve);
    for (const { id } of spread(hosts, extent.hosts)) {
      const document = await ownDocument(reader, `/hosts/${id}/vex?format=${format}`);
      const own =
        document === null ? new Map<string, number>() : factsOf(readFacts(format, document, cve), id);
      const said = factsOf(fleet, id);
      const both = [...own].filter(([fact, times]) => said.get(fact) === times);
      const what = `VEX as ${format} of host ${id}`;
      yield { what, counted: said.size, listed: own.size };
      yield { what: `${what}: equal`, counted: both.length, listed: own.size };
    }
  }
}

/** Null: the host has no report, or nothing is open on it. */
async function ownDocument(reader: CountReader, path: string): Promise<object | null> {
  try {
    return await reader.body<object>(path);
  } catch (error) {
    if (/: 40[49] /.test(String(error))) return null;
    throw error;
  }
}

function factsOf(facts: Facts, host: string): ReadonlyMap<string, number> {
  return facts.get(host) ?? new Map();
}

class FactsOfHosts {
  readonly facts = new Map<string, Map<string, number>>();

  readonly #cve: string | null;

  constructor(cve: string | null) {
    this.#cve = cve;
  }

  isWanted(vulnerability: string | undefined): boolean {
    return this.#cve === null || this.#cve === vulnerability;
  }

  add(host: string, fact: readonly unknown[]): void {
    const text = JSON.stringify(fact);
    const own = this.facts.get(host) ?? new Map<string, number>();
    own.set(text, (own.get(text) ?? 0) + 1);
    this.facts.set(host, own);
  }
}

function readFacts(format: Format, document: object, cve: string | null): Facts {
  const found = new FactsOfHosts(cve);
  // Documents of the product's own formats.
  if (format === 'openvex') readOpenVex(document as never, found);
  else if (format === 'csaf') readCsaf(document as never, found);
  else readCycloneDx(document as never, found);
  return found.facts;
}

interface OpenVex {
  readonly statements: readonly {
    readonly vulnerability: { readonly name: string };
    readonly products: readonly { readonly '@id': string; readonly subcomponents: readonly object[] }[];
  }[];
}

function readOpenVex({ statements }: OpenVex, found: FactsOfHosts): void {
  for (const { products, ...said } of statements.filter(({ vulnerability }) =>
    found.isWanted(vulnerability.name),
  ))
    for (const { '@id': urn, subcomponents } of products)
      for (const one of subcomponents) found.add(urn.replace('urn:uuid:', ''), [one, said]);
}

interface Csaf {
  readonly product_tree: {
    readonly full_product_names: readonly { readonly product_id: string }[];
    readonly relationships: readonly {
      readonly product_reference: string;
      readonly relates_to_product_reference: string;
      readonly full_product_name: { readonly product_id: string; readonly name: string };
    }[];
  };
  readonly vulnerabilities: readonly (Readonly<Record<string, unknown>> & {
    readonly cve?: string;
    readonly product_status: Readonly<Record<string, readonly string[]>>;
    readonly flags?: readonly OnProducts[];
    readonly remediations?: readonly OnProducts[];
    readonly threats?: readonly OnProducts[];
  })[];
}

interface OnProducts {
  readonly product_ids: readonly string[];
}

function readCsaf({ product_tree: tree, vulnerabilities }: Csaf, found: FactsOfHosts): void {
  const names = new Map(tree.full_product_names.map(({ product_id: id, ...name }) => [id, name]));
  const products = new Map(
    tree.relationships.map((one) => {
      const { product_id: id, name } = one.full_product_name;
      const host = one.relates_to_product_reference.replace('urn:uuid:', '');
      return [id, { host, product: [name, names.get(one.product_reference)] }];
    }),
  );
  const add = (ids: readonly string[], said: readonly unknown[]) => {
    for (const id of ids) {
      const of = products.get(id);
      if (of === undefined) throw new Error(`the document has no product ${id}`);
      found.add(of.host, [of.product, ...said]);
    }
  };
  for (const { product_status, flags, remediations, threats, notes: _, ...about } of vulnerabilities.filter(
    (each) => found.isWanted(each.cve),
  )) {
    for (const [status, ids] of Object.entries(product_status)) add(ids, [about, status]);
    for (const [field, objects] of Object.entries({ flags, remediations, threats }))
      for (const { product_ids: ids, ...said } of objects ?? []) add(ids, [about, field, said]);
  }
}

interface Component {
  readonly 'bom-ref': string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  readonly components?: readonly Component[];
}

interface CycloneDx {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly vulnerabilities: readonly {
    readonly 'bom-ref': string;
    readonly id: string;
    readonly properties?: object;
    readonly affects: readonly { readonly ref: string; readonly versions: object }[];
  }[];
}

function readCycloneDx({ metadata, components, vulnerabilities }: CycloneDx, found: FactsOfHosts): void {
  const places = new Map<string, { readonly host: string; readonly component: object }>();
  const place = (host: string, { 'bom-ref': ref, components: _, ...component }: Component) => {
    if (places.has(ref)) throw new Error(`the document has two components ${ref}`);
    places.set(ref, { host, component });
  };
  for (const one of components) {
    if (one.components === undefined) place(hostOf(metadata.component), one);
    for (const inner of one.components ?? []) place(hostOf(one), inner);
  }
  for (const { 'bom-ref': _, properties: __, affects, ...said } of vulnerabilities.filter(({ id }) =>
    found.isWanted(id),
  ))
    for (const { ref, versions } of affects) {
      const of = places.get(ref);
      if (of === undefined) throw new Error(`the document has no component ${ref}`);
      found.add(of.host, [of.component, versions, said]);
    }
}

function hostOf({ properties }: Component): string {
  return properties.find(({ name }) => name === 'plimsoll:host_id')?.value ?? '';
}
