import type { SbomComponent } from '@plimsoll/contract';
import { groupBy, isCveName, productVersion } from '@plimsoll/model';
import type { VexContent, VexHost } from './vex-content.ts';
import { hostUrn, type VexMetadata } from './vex-metadata.ts';
import { type StatementStatus, statementsOf, type VexStatement } from './vex-statements.ts';

const productStatuses: Readonly<Record<StatementStatus, string>> = {
  affected: 'known_affected',
  under_investigation: 'under_investigation',
  not_affected: 'known_not_affected',
};

/**
 * What is said of packages of hosts as CSAF 2.0, profile VEX: its products are the packages as they are installed on each host.
 * @param namespace the address of the installation.
 */
export function* csafVexOf(content: VexContent, metadata: VexMetadata, namespace: string): Iterable<string> {
  const products = new Products(content);
  yield `{"document":${JSON.stringify(headOf(metadata, namespace))},"product_tree":{"full_product_names":`;
  yield* listOf(products.names());
  yield ',"relationships":';
  yield* listOf(products.relationships());
  yield '},"vulnerabilities":[';
  let comma = '';
  for (const [name, said] of groupBy(statementsOf(content), ({ id }) => id)) {
    yield comma;
    yield* vulnerabilityOf(name, said, products);
    comma = ',';
  }
  yield ']}';
}

/** The products of a document: hosts, packages, and packages as they are installed on hosts. */
class Products {
  readonly #content: VexContent;
  /** By the number of a package: the number of its component, from 1. */
  readonly #numbers: readonly number[];
  readonly #components = new Map<string, { readonly n: number; readonly component: SbomComponent }>();

  constructor(content: VexContent) {
    this.#content = content;
    this.#numbers = content.packages.map(({ component }) => {
      const ref = component['bom-ref'];
      const known = this.#components.get(ref) ?? { n: this.#components.size + 1, component };
      this.#components.set(ref, known);
      return known.n;
    });
  }

  *names(): Iterable<string> {
    for (const { host, packages } of this.#content.hosts())
      if (packages.length > 0) yield JSON.stringify({ name: nameOf(host), product_id: hostUrn(host.id) });
    for (const { n, component } of this.#components.values()) yield JSON.stringify(packageName(component, n));
  }

  *relationships(): Iterable<string> {
    for (const { host, packages } of this.#content.hosts())
      for (const number of packages)
        yield JSON.stringify({
          category: 'installed_on',
          product_reference: `package-${this.#numbers[number]}`,
          relates_to_product_reference: hostUrn(host.id),
          full_product_name: {
            name: `${this.#content.packages[number]?.component.name} on ${nameOf(host)}`.slice(0, 1_000),
            product_id: this.#idOf(number, host),
          },
        });
  }

  /** The ids of packages on hosts, as JSON. */
  *idsOf(statements: readonly VexStatement[]): Iterable<string> {
    for (const said of statements)
      for (const { host, packages } of this.#content.hostsWith(said.packages))
        for (const number of packages) yield `"${this.#idOf(number, host)}"`;
  }

  #idOf(number: number, host: VexHost): string {
    return `package-${this.#numbers[number]}-on-${host.id}`;
  }
}

function headOf({ id, subject, at, limits }: VexMetadata, namespace: string) {
  return {
    category: 'csaf_vex',
    csaf_version: '2.0',
    lang: 'en',
    publisher: { category: 'user', name: 'Plimsoll', namespace },
    title: `Status of ${subject} as Plimsoll knows it`.slice(0, 1_000),
    ...(limits.length > 0 && {
      notes: [{ category: 'general', title: 'Gaps', text: limits.join(' ') }],
    }),
    tracking: {
      current_release_date: at,
      generator: { date: at, engine: { name: 'Plimsoll', version: productVersion } },
      id: `plimsoll-${id.replace('urn:uuid:', '')}`,
      initial_release_date: at,
      revision_history: [{ date: at, number: '1', summary: 'As of this time.' }],
      status: 'final',
      version: '1',
    },
  };
}

function nameOf({ id, name }: VexHost): string {
  return name === '' ? id : name;
}

function packageName({ name, version = '', purl }: SbomComponent, number: number) {
  return {
    name: `${name} ${version}`.trim(),
    product_id: `package-${number}`,
    ...(purl !== undefined && { product_identification_helper: { purl } }),
  };
}

function* vulnerabilityOf(
  name: string,
  statements: readonly VexStatement[],
  products: Products,
): Iterable<string> {
  const start = {
    ...(isCveName(name) ? { cve: name } : { ids: [{ system_name: 'advisory', text: name }] }),
    notes: [
      { category: 'general', text: `What Plimsoll knows about ${name} on the hosts of this document.` },
    ],
  };
  yield `${JSON.stringify(start).slice(0, -1)},"product_status":{`;
  let comma = '';
  for (const [status, some] of groupBy(statements, (said) => said.status)) {
    yield `${comma}"${productStatuses[status]}":`;
    yield* listOf(products.idsOf(some));
    comma = ',';
  }
  yield '}';
  const affected = statements.filter(({ status }) => status === 'affected');
  const spared = statements.filter(({ status }) => status === 'not_affected');
  const mitigated = spared.filter(({ isMitigated }) => isMitigated);
  const of = (head: object, some: readonly VexStatement[]) => withProducts(head, products.idsOf(some));
  if (mitigated.length > 0) {
    yield ',"flags":[';
    yield* of({ label: 'inline_mitigations_already_exist' }, mitigated);
    yield ']';
  }
  yield* inList(
    'remediations',
    affected.map((said) => of(remediationOf(said), [said])),
  );
  yield* inList(
    'threats',
    spared.map((said) => of({ category: 'impact', details: said.detail || 'Not affected.' }, [said])),
  );
  yield '}';
}

function remediationOf({ recommendation, willNotFix, detail }: VexStatement) {
  return {
    category: recommendation !== null ? 'vendor_fix' : willNotFix ? 'no_fix_planned' : 'none_available',
    details: [recommendation ?? '', detail].filter((text) => text !== '').join(' ') || 'Not known.',
  };
}

/** An object with the list `product_ids` at its end. */
function* withProducts(head: object, ids: Iterable<string>): Iterable<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"product_ids":`;
  yield* listOf(ids);
  yield '}';
}

/** A field with a list of objects; nothing without any. */
function* inList(name: string, objects: readonly Iterable<string>[]): Iterable<string> {
  if (objects.length === 0) return;
  let before = `,"${name}":[`;
  for (const object of objects) {
    yield before;
    yield* object;
    before = ',';
  }
  yield ']';
}

function* listOf(items: Iterable<string>): Iterable<string> {
  yield '[';
  let comma = '';
  for (const item of items) {
    yield comma + item;
    comma = ',';
  }
  yield ']';
}
