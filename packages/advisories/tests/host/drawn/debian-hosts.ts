import type { InstalledPackage } from '@plimsoll/model';
import fc from 'fast-check';
import { assessed, installed, kernelImage, offered, running } from '../../debian-host.ts';
import { debianKey } from '../../debian-records.ts';
import { drawnFacts, drawnKernel, drawnPackages, drawnUpgrades, sourceOf } from './drawn-apt.ts';
import { type DrawnHost, drawnByName, drawnStatements, seldom } from './drawn-host.ts';

const fixes = ['6.1.119-1', '6.1.123-1', '6.1.124-1', '6.1.128-1'];
const version = fc.constantFrom(...fixes, ...fixes, '6.1.128-1~bpo12+1', 'no version');
const release = fc.constantFrom('6.1.0-28-amd64', '6.1.0-29-amd64', '6.1.0-30-amd64', '6.1.0-30-cloud-amd64');
const vendor = fc.constantFrom('Debian', 'Debian', 'Debian', '', 'Somebody');
const held = seldom;
/** Some installations did not end: after an older version, or one that is not known. */
const unfinished = fc.constantFrom(null, null, null, null, null, null, '', '6.1.119-1', '6.1.123-1');

const ordinary: fc.Arbitrary<InstalledPackage> = fc
  .record({
    name: fc.constantFrom('curl', 'libcurl4', 'libssl3', 'linux-libc-dev', 'linux-image-amd64'),
    version,
    vendor,
    held,
    unfinished,
  })
  .map(({ name, version: at, ...rest }) =>
    installed(name, at, { name: sourceOf.get(name) ?? 'linux-signed-amd64' }, rest),
  );
const image = fc
  .record({ release, version, vendor, held })
  .map(({ release: boots, version: at, ...rest }) => kernelImage(boots, at, rest));

const upgrades = drawnUpgrades(offered, {
  kernels: fc.oneof(
    fc.constant('linux-image-amd64'),
    release.map((boots) => `linux-image-${boots}`),
  ),
  from: ['', '6.1.119-1', '6.1.119-1', '6.1.124-1'],
  to: version,
  origin: vendor,
});
const kernel = drawnKernel(fc.record({ release, version: fc.constantFrom(...fixes) }), (boot, rest) =>
  running(boot.release, boot.version, rest),
);

/**
 * Debian 12 hosts: several kernels, third-party builds, backports, held packages, live patches, containers.
 */
export const debianHosts: fc.Arbitrary<DrawnHost> = fc
  .record({
    packages: drawnPackages(ordinary, image),
    upgrades,
    kernel,
    statements: drawnByName(['curl', 'openssl', 'linux'], drawnStatements({ fixes, keyOf: debianKey })),
    ...drawnFacts,
  })
  .map((host) => ({ ...host, subject: assessed(host), keyOf: debianKey }));
