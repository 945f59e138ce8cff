import type { SbomComponent } from '@plimsoll/contract';
import { groupBy, isCveName } from '@plimsoll/model';
import { apiVersion } from '../service/api-version.ts';
import type { CveStatus, StatementStatus } from './cve-statuses.ts';
import { hostUrn, type VexMetadata } from './openvex.ts';

const productStatuses: Readonly<Record<StatementStatus, string>> = {
  affected: 'known_affected',
  under_investigation: 'under_investigation',
  not_affected: 'known_not_affected',
};

/**
 * A host's statuses as CSAF 2.0, profile VEX: its products are the packages as they are installed on the host.
 * @param namespace the address of the installation.
 */
export function csafVexOf(
  statuses: readonly CveStatus[],
  { id, hostId, hostName, at, gaps }: VexMetadata,
  namespace: string,
) {
  const components = [
    ...new Set(statuses.flatMap((said) => said.components.map((component) => component['bom-ref']))),
  ];
  const numbers = new Map(components.map((ref, index) => [ref, index + 1]));
  const byRef = new Map(
    statuses.flatMap((said) =>
      said.components.map((component) => [component['bom-ref'], component] as const),
    ),
  );
  const productId = (component: SbomComponent) => `on-host-${numbers.get(component['bom-ref']) ?? 0}`;
  const host = hostUrn(hostId);
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      lang: 'en',
      publisher: { category: 'user', name: 'Plimsoll', namespace },
      title: `Status of ${hostName} as Plimsoll knows it`.slice(0, 1_000),
      ...(gaps.length > 0 && {
        notes: [
          {
            category: 'general',
            title: 'Gaps',
            text: `Not everything of this host is known: ${gaps.join(', ')}.`,
          },
        ],
      }),
      tracking: {
        current_release_date: at,
        generator: { date: at, engine: { name: 'Plimsoll', version: apiVersion } },
        id: `plimsoll-${id.replace('urn:uuid:', '')}`,
        initial_release_date: at,
        revision_history: [{ date: at, number: '1', summary: 'As of this time.' }],
        status: 'final',
        version: '1',
      },
    },
    product_tree: {
      full_product_names: [
        { name: hostName === '' ? hostId : hostName, product_id: host },
        ...components.map((ref) => packageName(byRef.get(ref), numbers.get(ref) ?? 0)),
      ],
      relationships: components.map((ref) => ({
        category: 'installed_on',
        product_reference: `package-${numbers.get(ref) ?? 0}`,
        relates_to_product_reference: host,
        full_product_name: {
          name: `${byRef.get(ref)?.name ?? ref} on ${hostName}`.slice(0, 1_000),
          product_id: `on-host-${numbers.get(ref) ?? 0}`,
        },
      })),
    },
    vulnerabilities: [...groupBy(statuses, (said) => said.id)].map(([name, said]) =>
      vulnerabilityOf(name, said, productId),
    ),
  };
}

function packageName(component: SbomComponent | undefined, number: number) {
  const { name = '', version = '', purl } = component ?? {};
  return {
    name: `${name} ${version}`.trim(),
    product_id: `package-${number}`,
    ...(purl !== undefined && { product_identification_helper: { purl } }),
  };
}

function vulnerabilityOf(
  name: string,
  statuses: readonly CveStatus[],
  productId: (component: SbomComponent) => string,
) {
  const idsOf = (some: readonly CveStatus[]) =>
    [...new Set(some.flatMap((said) => said.components.map(productId)))].sort();
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
    notes: [{ category: 'general', text: `What Plimsoll knows about ${name} on this host.` }],
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
