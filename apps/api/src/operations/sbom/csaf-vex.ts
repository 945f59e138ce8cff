import type { SbomComponent } from '@plimsoll/contract';
import { groupBy, isCveName } from '@plimsoll/model';
import { productVersion } from '@plimsoll/process';
import type { CveStatus, StatementStatus, VexHost } from './cve-statuses.ts';
import { hostUrn, type VexMetadata } from './openvex.ts';

const productStatuses: Readonly<Record<StatementStatus, string>> = {
  affected: 'known_affected',
  under_investigation: 'under_investigation',
  not_affected: 'known_not_affected',
};

/** Numbers things in the order in which they are first named, from 1. */
class Numbers<T> {
  readonly #known = new Map<string, { readonly n: number; readonly value: T }>();

  of(key: string, value: T): number {
    const known = this.#known.get(key) ?? { n: this.#known.size + 1, value };
    this.#known.set(key, known);
    return known.n;
  }

  all(): readonly { readonly n: number; readonly value: T }[] {
    return [...this.#known.values()];
  }
}

/** The products of a document: hosts, packages, and packages as they are installed on hosts. */
class Products {
  readonly packages = new Numbers<SbomComponent>();
  readonly hosts = new Map<string, VexHost>();
  readonly installed = new Map<string, { readonly host: VexHost; readonly component: SbomComponent }>();

  /** The id of a package on a host. */
  idOf(host: VexHost, component: SbomComponent): string {
    this.hosts.set(host.id, host);
    const n = this.packages.of(component['bom-ref'], component);
    const id = `package-${n}-on-${host.id}`;
    this.installed.set(id, { host, component });
    return id;
  }

  tree() {
    return {
      full_product_names: [
        ...[...this.hosts.values()].map((host) => ({ name: nameOf(host), product_id: hostUrn(host.id) })),
        ...this.packages.all().map(({ n, value }) => packageName(value, n)),
      ],
      relationships: [...this.installed].map(([id, { host, component }]) => ({
        category: 'installed_on',
        product_reference: `package-${this.packages.of(component['bom-ref'], component)}`,
        relates_to_product_reference: hostUrn(host.id),
        full_product_name: { name: `${component.name} on ${nameOf(host)}`.slice(0, 1_000), product_id: id },
      })),
    };
  }
}

function nameOf({ id, name }: VexHost): string {
  return name === '' ? id : name;
}

/**
 * Statuses of packages of hosts as CSAF 2.0, profile VEX: its products are the packages as they are installed on each host.
 * @param namespace the address of the installation.
 */
export function csafVexOf(
  statuses: readonly CveStatus[],
  { id, subject, at, limits }: VexMetadata,
  namespace: string,
) {
  const products = new Products();
  const vulnerabilities = [...groupBy(statuses, (said) => said.id)].map(([name, said]) =>
    vulnerabilityOf(name, said, products),
  );
  return {
    document: {
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
    },
    product_tree: products.tree(),
    vulnerabilities,
  };
}

function packageName({ name, version = '', purl }: SbomComponent, number: number) {
  return {
    name: `${name} ${version}`.trim(),
    product_id: `package-${number}`,
    ...(purl !== undefined && { product_identification_helper: { purl } }),
  };
}

function vulnerabilityOf(name: string, statuses: readonly CveStatus[], products: Products) {
  const idsOf = (some: readonly CveStatus[]) => {
    const ids = some.flatMap((said) =>
      said.products.flatMap(({ host, components }) =>
        components.map((component) => products.idOf(host, component)),
      ),
    );
    return [...new Set(ids)].sort();
  };
  const affected = statuses.filter(({ status }) => status === 'affected');
  const spared = statuses.filter(({ status }) => status === 'not_affected');
  const mitigated = spared.filter(({ isMitigated }) => isMitigated);
  const product_status = Object.fromEntries(
    [...groupBy(statuses, ({ status }) => status)].map(([status, some]) => [
      productStatuses[status],
      idsOf(some),
    ]),
  );
  return {
    ...(isCveName(name) ? { cve: name } : { ids: [{ system_name: 'advisory', text: name }] }),
    notes: [
      { category: 'general', text: `What Plimsoll knows about ${name} on the hosts of this document.` },
    ],
    product_status,
    ...(mitigated.length > 0 && {
      flags: [{ label: 'inline_mitigations_already_exist', product_ids: idsOf(mitigated) }],
    }),
    ...(affected.length > 0 && {
      remediations: affected.map((said) => ({
        category:
          said.recommendation !== null ? 'vendor_fix' : said.willNotFix ? 'no_fix_planned' : 'none_available',
        details:
          [said.recommendation ?? '', said.detail].filter((text) => text !== '').join(' ') || 'Not known.',
        product_ids: idsOf([said]),
      })),
    }),
    ...(spared.length > 0 && {
      threats: spared.map((said) => ({
        category: 'impact',
        details: said.detail === '' ? 'Not affected.' : said.detail,
        product_ids: idsOf([said]),
      })),
    }),
  };
}
