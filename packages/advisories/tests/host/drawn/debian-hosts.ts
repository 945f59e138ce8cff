import type { InstalledPackage, KernelFacts, Upgrade } from '@plimsoll/model';
import fc from 'fast-check';
import { assessed, installed, kernelImage, noKernelFacts, offered, running } from '../../debian-host.ts';
import { debianKey } from '../../debian-records.ts';
import { type DrawnHost, drawnByName, drawnStatements, seldom } from './drawn-host.ts';

const fixes = ['6.1.119-1', '6.1.123-1', '6.1.124-1', '6.1.128-1'];
const version = fc.constantFrom(...fixes, ...fixes, '6.1.128-1~bpo12+1', 'no version');
const release = fc.constantFrom('6.1.0-28-amd64', '6.1.0-29-amd64', '6.1.0-30-amd64', '6.1.0-30-cloud-amd64');
const vendor = fc.constantFrom('Debian', 'Debian', 'Debian', '', 'Somebody');
const held = seldom;

const sourceOf = new Map([
  ['curl', 'curl'],
  ['libcurl4', 'curl'],
  ['libssl3', 'openssl'],
]);
const ordinary: fc.Arbitrary<InstalledPackage> = fc
  .record({
    name: fc.constantFrom('curl', 'libcurl4', 'libssl3', 'linux-libc-dev', 'linux-image-amd64'),
    version,
    vendor,
    held,
  })
  .map(({ name, version: at, ...rest }) =>
    installed(name, at, { name: sourceOf.get(name) ?? 'linux-signed-amd64' }, rest),
  );
const image = fc
  .record({ release, version, vendor, held })
  .map(({ release: boots, version: at, ...rest }) => kernelImage(boots, at, rest));

const upgrades: fc.Arbitrary<Upgrade[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.oneof(
        fc.constantFrom('curl', 'libcurl4', 'libssl3', 'linux-image-amd64'),
        release.map((boots) => `linux-image-${boots}`),
      ),
      from: fc.constantFrom('', '6.1.119-1', '6.1.119-1', '6.1.124-1'),
      to: version,
      isSecurity: fc.boolean(),
      held,
      phased: seldom,
      origin: vendor,
      source: fc.constantFrom('own', 'own', 'own', 'openssl', ''),
    })
    .map(({ name, from, to, source, ...rest }) => {
      const own = sourceOf.get(name) ?? 'linux';
      return offered(name, from, to, { ...rest, sourceName: source === 'own' ? own : source || name });
    }),
  { minLength: 2, maxLength: 6, selector: ({ name }) => name },
);

const kernel: fc.Arbitrary<KernelFacts> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(noKernelFacts) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        release,
        version: fc.constantFrom(...fixes),
        rebootRequired: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
        livepatched: fc.boolean(),
      })
      .map(({ release: boots, version: at, rebootRequired, livepatched }) =>
        running(boots, at, {
          rebootRequired,
          livepatchedCves: livepatched ? ['CVE-2024-0001', 'CVE-2024-0002'] : [],
        }),
      ),
  },
);

/**
 * Debian 12 hosts: several kernels, third-party builds, backports, held packages, live patches, containers.
 */
export const debianHosts: fc.Arbitrary<DrawnHost> = fc
  .record({
    packages: fc.uniqueArray(fc.oneof(ordinary, image), {
      selector: ({ name }) => name,
      minLength: 2,
      maxLength: 8,
    }),
    upgrades,
    kernel,
    statements: drawnByName(['curl', 'openssl', 'linux'], drawnStatements({ fixes, keyOf: debianKey })),
    virtualization: fc.constantFrom('kvm', 'kvm', 'kvm', 'lxc', ''),
    facts: fc.record({
      updates: fc.constantFrom('known' as const, 'known' as const, 'known' as const, 'unknown' as const),
    }),
  })
  .map((host) => ({ ...host, subject: assessed(host), keyOf: debianKey }));
