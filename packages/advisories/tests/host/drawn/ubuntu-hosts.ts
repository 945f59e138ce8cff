import type { InstalledPackage, Subscription, Upgrade } from '@plimsoll/model';
import fc from 'fast-check';
import { noKernelFacts } from '../../debian-host.ts';
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

const sourceOf = new Map([
  ['curl', 'curl'],
  ['libcurl4', 'curl'],
  ['libssl3', 'openssl'],
]);
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

const upgrades: fc.Arbitrary<Upgrade[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom(
        'curl',
        'libcurl4',
        'libssl3',
        'linux-image-generic',
        'linux-image-5.15.0-119-generic',
      ),
      from: fc.constantFrom('', '5.15.0-69.76', '5.15.0-69.76', '5.15.0-119.129'),
      to: fc.constantFrom(...versions),
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

const kernel = fc.oneof(
  { weight: 1, arbitrary: fc.constant(noKernelFacts) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        number: fc.constantFrom(...abis),
        flavour,
        rebootRequired: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
        livepatched: fc.boolean(),
      })
      .map(({ number, flavour: of, rebootRequired, livepatched }) => {
        const [abi = '', upload = ''] = number.split('.');
        const livepatchedCves = livepatched ? ['CVE-2024-0001', 'CVE-2024-0002'] : [];
        return running(`5.15.0-${abi}-${of}`, upload, { rebootRequired, livepatchedCves });
      }),
  },
);

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
    packages: fc.uniqueArray(fc.oneof(ordinary, image), {
      selector: ({ name }) => name,
      minLength: 2,
      maxLength: 8,
    }),
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
    virtualization: fc.constantFrom('kvm', 'kvm', 'kvm', 'lxc', ''),
    facts: fc.record({
      updates: fc.constantFrom('known' as const, 'known' as const, 'known' as const, 'unknown' as const),
    }),
  })
  .map((host) => ({ ...host, subject: assessed(host), keyOf: debianKey }));
