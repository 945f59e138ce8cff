import type { OsvPlace } from '../../osv/dialect.ts';
import { rpmRelease } from '../../rpm/rpm-family.ts';
import { rhelFamily } from './rhel-family.ts';

/** Products for minor releases under extended support, which have their own builds. */
const kept: ReadonlySet<string> = new Set([
  'rhel_eus',
  'rhel_aus',
  'rhel_tus',
  'rhel_e4s',
  'rhel_mission_critical',
]);
/** Repositories of a major release besides the main ones, with other package names or the same builds. */
const beside: ReadonlySet<string> = new Set([
  'enterprise_linux',
  'rhel_extras',
  'rhel_extras_rt',
  'rhel_extras_other',
  'rhel_common',
  'rhel_virtualization',
  'rhel_cluster',
  'rhel_cluster_storage',
  'rhel_productivity',
]);
/** Support after the end of the maintenance phase. */
const afterEnd: ReadonlySet<string> = new Set(['rhel_els', 'rhel_extras_rt_els']);
/** Products for several major releases; the release is the last part: `::el7`. */
const forSeveral: ReadonlySet<string> = new Set([
  'rhel_software_collections',
  'rhel_dotnet',
  'rhel_developer_suite',
]);

const number = /^(\d{1,2})(?:\.(\d{1,2}))?$/;

/**
 * The place of a product in a CPE (`enterprise_linux:9::appstream`, `rhel_eus:9.0::baseos`): the release, and the line
 * `el9_0` for minor releases under extended support. Null for other products.
 */
export function placeOfProduct(product: string): OsvPlace | null {
  const [name = '', version = '', , edition = ''] = product.split(':');
  if (forSeveral.has(name)) return placed(/^el(\d{1,2})$/.exec(edition)?.[1], null, null);
  const [, major, minor] = number.exec(version) ?? [];
  if (kept.has(name)) return minor === undefined ? null : placed(major, `el${major}_${minor}`, null);
  if (afterEnd.has(name)) return placed(major, null, 'els');
  return beside.has(name) ? placed(major, null, null) : null;
}

function placed(major: string | undefined, line: string | null, service: string | null): OsvPlace | null {
  const release = major === undefined ? null : rpmRelease(rhelFamily, major);
  return release === null ? null : { release, line, service };
}
