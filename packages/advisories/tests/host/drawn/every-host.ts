import fc from 'fast-check';
import { type Assessment, assessHost, type Finding, selectFindings } from '../../../src/index.ts';
import { debianHosts } from './debian-hosts.ts';
import type { DrawnHost } from './drawn-host.ts';
import { rpmHosts } from './rpm-hosts.ts';
import { ubuntuHosts } from './ubuntu-hosts.ts';

/** The generators of hosts of every package family. */
export const hostKinds: readonly (readonly [name: string, hosts: fc.Arbitrary<DrawnHost>])[] = [
  ['Debian', debianHosts],
  ['Ubuntu', ubuntuHosts],
  ['rpm', rpmHosts],
];

type Law = (host: DrawnHost, assessment: Assessment) => void;

const numRuns = 100;
/** The same in each run, so that only a change makes tests fail; PLIMSOLL_FUZZ_SEED selects other hosts. */
const seed = Number(process.env['PLIMSOLL_FUZZ_SEED'] ?? 20_261_122);
const assessed = new Map<fc.Arbitrary<DrawnHost>, readonly (readonly [DrawnHost, Assessment])[]>();

/**
 * Asserts that a law is true for many random hosts of a kind. The hosts are drawn and assessed once for all
 * laws of a test file, because that takes longer than the laws. If a law fails, fast-check draws them again
 * to find the smallest host.
 */
export function holds(hosts: fc.Arbitrary<DrawnHost>, law: Law): void {
  try {
    for (const [host, assessment] of assessedOnce(hosts)) law(host, assessment);
  } catch (error) {
    fc.assert(
      fc.property(hosts, (host) => law(host, assessHost(host.subject))),
      { seed, numRuns },
    );
    throw error;
  }
}

/** The random hosts of a kind that `holds` checks, the same in each call. */
export function assessedOnce(hosts: fc.Arbitrary<DrawnHost>): readonly (readonly [DrawnHost, Assessment])[] {
  const known = assessed.get(hosts);
  if (known !== undefined) return known;
  const drawn = fc
    .sample(hosts, { seed, numRuns })
    .map((host): readonly [DrawnHost, Assessment] => [host, assessHost(host.subject)]);
  assessed.set(hosts, drawn);
  return drawn;
}

/** The listed findings, without hidden ones. */
export function rows(findings: readonly Finding[], includeUnfixed = false): readonly Finding[] {
  return selectFindings(findings, { includeUnfixed, includeHidden: false });
}
