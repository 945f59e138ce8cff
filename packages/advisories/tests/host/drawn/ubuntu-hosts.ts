import type { InstalledPackage, Subscription } from '@plimsoll/model';
import fc from 'fast-check';
import { debianKey } from '../../debian-records.ts';
import {
  assessed,
  focal,
  installed,
  jammy,
  kernelImage,
  noble,
  offered,
  pro,
  running,
  unattached,
} from '../../ubuntu-host.ts';
import { drawnFacts, drawnKernel, drawnPackages, drawnUpgrades, sourceOf } from './drawn-apt.ts';
import { type DrawnHost, drawnByName, drawnStatements, seldom } from './drawn-host.ts';

const abis = ['69.76', '101.111', '119.129'];
const fixes = abis.map((number) => `5.15.0-${number}`);
const versions = [...fixes, ...fixes, '5.15.0-119.129+esm1', '5.15.0-101.111~bpo1', 'no version'];
/** The archives that packages come from: Ubuntu's, those of Ubuntu Pro, an unknown one, a third party's. */
const vendor = fc.constantFrom(
  ...['Ubuntu', 'Ubuntu', 'Ubuntu', 'UbuntuESM', 'UbuntuESMApps', 'Ubuntu', 'UbuntuFIPS', '', 'Launchpad'],
);
const held = seldom;
const flavour = fc.constantFrom('generic', 'generic', 'generic', 'aws');

const ordinary: fc.Arbitrary<InstalledPackage> = fc
  .record({
    name: fc.constantFrom('curl', 'libcurl4', 'libssl3', 'linux-libc-dev', 'linux-image-generic'),
    version: fc.constantFrom(...versions),
    vendor,
    held,
    suite: fc.constantFrom('', '', '', '', 'jammy-security', 'jammy-backports'),
  })
  .map(({ name, version, ...rest }) =>
    installed(name, version, { name: sourceOf.get(name) ?? 'linux' }, rest),
  );
const image = fc
  .record({ number: fc.constantFrom(...abis), flavour, vendor, held })
  .map(({ number, flavour: of, ...rest }) =>
    kernelImage(`5.15.0-${number.split('.')[0]}-${of}`, `5.15.0-${number}`, of === 'aws' ? '-aws' : '', rest),
  );

const upgrades = drawnUpgrades(offered, {
  kernels: fc.constantFrom('linux-image-generic', 'linux-image-5.15.0-119-generic'),
  from: ['', '5.15.0-69.76', '5.15.0-69.76', '5.15.0-119.129'],
  to: fc.constantFrom(...versions),
  origin: vendor,
});
const kernel = drawnKernel(fc.record({ number: fc.constantFrom(...abis), flavour }), (boot, rest) => {
  const [abi = '', upload = ''] = boot.number.split('.');
  return running(`5.15.0-${abi}-${boot.flavour}`, upload, rest);
});

const subscription = fc.constantFrom<Subscription | 'unknown' | null>(
  'unknown',
  null,
  unattached,
  // Detached, with the previous services.
  { ...pro('esm-infra', 'esm-apps', 'fips'), attached: false },
  pro(),
  pro('esm-infra'),
  pro('esm-infra', 'esm-apps', 'fips-updates'),
);

/** Ubuntu hosts with and without Ubuntu Pro and its services; fixes that are free and fixes of a service. */
export const ubuntuHosts: fc.Arbitrary<DrawnHost> = fc
  .record({
    release: fc.constantFrom(focal, jammy, jammy, jammy, noble),
    packages: drawnPackages(ordinary, image),
    upgrades,
    kernel,
    subscription,
    statements: drawnByName(
      ['curl', 'openssl', 'linux', 'linux-aws'],
      drawnStatements({
        fixes: [...fixes, '5.15.0-119.129+esm1'],
        keyOf: debianKey,
        services: [null, null, 'esm', 'esm-infra', 'esm-apps', 'fips'],
        builds: fc.constantFrom(null, null, null, 'fips').map((line) => ({
          architectures: [],
          module: null,
          line,
        })),
      }),
    ),
    ...drawnFacts,
  })
  .map((host) => ({ ...host, subject: assessed(host), keyOf: debianKey }));
