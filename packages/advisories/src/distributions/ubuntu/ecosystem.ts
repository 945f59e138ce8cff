import type { OsvPlace } from '../../osv/dialect.ts';
import { fipsLine } from './fips.ts';
import { ubuntuRelease } from './releases.ts';

/** `Ubuntu:22.04:LTS`, `Ubuntu:25.10`; the LTS is often omitted. */
const plain = /^Ubuntu:([\d.]{4,5})(?::LTS)?$/;
/** `Ubuntu:Pro:22.04:LTS`, `Ubuntu:Pro:FIPS-updates:22.04:LTS`. */
const pro = /^Ubuntu:Pro:(?:([A-Za-z-]{1,20}):)?([\d.]{4,5})(?::LTS)?$/;
const realtime = /^Ubuntu:Pro:([\d.]{4,5})(?::LTS)?:Realtime(?::Kernel)?$/;

/** The service of a product line of Ubuntu Pro, with its build line if package names do not show it. */
const products: ReadonlyMap<string, Pick<OsvPlace, 'service' | 'line'>> = new Map([
  ['FIPS', { service: 'fips', line: fipsLine }],
  ['FIPS-updates', { service: 'fips-updates', line: fipsLine }],
  ['FIPS-preview', { service: 'fips-preview', line: fipsLine }],
  // Its kernel has its own source.
  ['Realtime', { service: 'realtime-kernel', line: null }],
]);

/**
 * The place an Ubuntu ecosystem names. Null for product lines that hosts of the distribution do not have, such as
 * `Ubuntu:Nvidia-BlueField:22.04`. `Ubuntu:Pro` does not name which of its two archives ships a fix.
 */
export function placeOf(ecosystem: string): OsvPlace | null {
  const everybodys = plain.exec(ecosystem)?.[1];
  if (everybodys !== undefined) return placed(everybodys, { service: null, line: null });
  const realtimes = realtime.exec(ecosystem)?.[1];
  if (realtimes !== undefined) return placed(realtimes, { service: 'realtime-kernel', line: null });
  const [, product, number] = pro.exec(ecosystem) ?? [];
  if (number === undefined) return null;
  const facts = product === undefined ? { service: 'esm', line: null } : products.get(product);
  return facts === undefined ? null : placed(number, facts);
}

function placed(number: string, facts: Pick<OsvPlace, 'service' | 'line'>): OsvPlace | null {
  const release = ubuntuRelease(number);
  return release === null ? null : { release, ...facts };
}
