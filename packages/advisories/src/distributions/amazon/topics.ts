import { splitEvr } from '../../rpm/evr.ts';

/**
 * Packages with the same name but different builds in the core of Amazon Linux 2 and its extras, or in two
 * topics of the extras.
 */
interface SharedNames {
  readonly names: RegExp;
  /** The prefix of its lines. */
  readonly product: string;
  /**
   * The line of a build, empty for the core. `numbers` are the parts of its version, `build` starts its rpm
   * release.
   */
  lineOf(numbers: readonly string[], build: number): string;
}

/**
 * The topic named after the first numbers of a version, if `own` matches them; other versions belong to the
 * core.
 */
function named(product: string, own: RegExp): SharedNames['lineOf'] {
  return (numbers) => {
    const line = own.exec(numbers.slice(0, 2).join('.'))?.[0];
    return line === undefined ? '' : `${product}-${line}`;
  };
}

/**
 * Derived from all advisories of Amazon Linux 2 until February 2025. The extras `docker`, `ecs` and
 * `aws-nitro-enclaves-cli` have the same builds of containerd, docker and runc, and `selinux-ng` has the
 * core's build of libsepol, so these are not lines. Packages of the core with such a name but their own
 * versions (php-pear, ruby-hivex) belong to the core.
 */
const sharedNames: readonly SharedNames[] = [
  {
    names: /^(?:kernel(?!-livepatch|-srpm-macros|-rpm-macros|-firmware)(?:-|$)|bpftool|perf$|python-perf$)/,
    product: 'kernel',
    // The core went from 4.9 to 4.14.
    lineOf: named('kernel', /^[56]\.\d+$/),
  },
  { names: /^php(?:-|$)/, product: 'php', lineOf: named('php', /^[78]\.\d+$/) },
  { names: /^ruby(?:-|$)/, product: 'ruby', lineOf: named('ruby', /^(?:2\.[4-7]|3\.\d+)$/) },
  // Gems have their own versions, but the rpm release of the ruby with which they are built.
  { names: /^rubygems?(?:-|$)/, product: 'ruby', lineOf: (_numbers, build) => lineOfRuby(build) },
  { names: /^mariadb(?:-|$)/, product: 'mariadb', lineOf: named('mariadb', /^10\.\d+$/) },
  {
    names: /^(?:postgresql|libpq)(?:-|$)/,
    product: 'postgresql',
    lineOf: named('postgresql', /^(?:9\.[3-6]$|1\d(?=\.))/),
  },
  { names: /^tomcat(?:-|$)/, product: 'tomcat', lineOf: named('tomcat', /^(?:8\.\d+$|9(?=\.)|1\d(?=\.))/) },
  { names: /^squid(?:-|$)/, product: 'squid', lineOf: named('squid', /^[4-6](?=\.)/) },
  { names: /^dnsmasq(?:-|$)/, product: 'dnsmasq', lineOf: named('dnsmasq', /^2(?=\.(?:8|9)\d)/) },
  { names: /^(?:python[23]-)?unbound(?:-|$)/, product: 'unbound', lineOf: named('unbound', /^1\.1\d$/) },
  // The core went from 1.9 to 1.22, and not to 1.19.
  {
    names: /^golang(?:-(?:bin|docs|misc|race|shared|src|tests))?$/,
    product: 'golang',
    lineOf: named('golang', /^1\.19$/),
  },
  {
    names: /^(?:R(?:-core|-java)?(?:-devel)?|libRmath(?:-.*)?)$/,
    product: 'r',
    lineOf: named('r', /^(?:3\.\d+$|4(?=\.))/),
  },
];

const buildsOfRuby: readonly (readonly [first: number, line: string])[] = [
  [140, 'ruby-3.0'],
  [110, 'ruby-2.6'],
  [60, 'ruby-2.4'],
  [0, ''],
];

function lineOfRuby(build: number): string {
  return buildsOfRuby.find(([first]) => build >= first)?.[1] ?? '';
}

/** A build of release 2: `2.0.0.648-36.amzn2.0.9`. */
const ownTag = /\.amzn2(?:\.|$)/;

function sharedNamesOf(name: string, release: string): SharedNames | null {
  return ownTag.test(release) ? (sharedNames.find(({ names }) => names.test(name)) ?? null) : null;
}

/**
 * The line of a package of Amazon Linux 2 whose name the core and the extras share: the topic, such as
 * `php-8.1`. Empty for the core, for names that are not shared, and for other releases.
 */
export function extrasLineOf(name: string, evr: string): string {
  const { version, release } = splitEvr(evr);
  const shared = sharedNamesOf(name, release);
  const build = Number(/^\d{1,9}/.exec(release)?.[0] ?? '0');
  return shared?.lineOf(version.split('.'), build) ?? '';
}

/** `ALAS2PHP8.1-2023-001`, `ALAS2UNBOUND-1.17-2023-002`, `ALAS2-2024-2456`. */
const alas2 = /^ALAS2(?!0\d\d)([A-Z][A-Z0-9._-]*?)??-\d{4}-\d+$/;
/** `PHP8.1`, `KERNEL-5.10`, `R4`. */
const numbered = /^([A-Z_]+?)-?(\d[\d.]*)$/;
/** Topics whose advisories omit the number, with their ids in the catalog. */
const unnumbered: ReadonlyMap<string, string> = new Map([
  ['DNSMASQ', 'dnsmasq-2'],
  ['UNBOUND', 'unbound-1.13'],
]);

/**
 * The line of a package in an advisory, from the topic in the advisory's id; the core's advisories apply to
 * the core. If the package belongs to another product than the topic, its version decides. Empty for names
 * that are not shared: every topic with the name judges them.
 */
export function lineInAlas(id: string, name: string, evr: string): string {
  const shared = sharedNamesOf(name, splitEvr(evr).release);
  if (shared === null) return '';
  const match = alas2.exec(id);
  if (match !== null && match[1] === undefined) return '';
  const topic = match?.[1] ?? '';
  const [, product = '', number = ''] = numbered.exec(topic) ?? [];
  const line = unnumbered.get(topic) ?? `${product.toLowerCase()}-${number}`;
  return line.startsWith(`${shared.product}-`) && ratedLines.has(line) ? line : extrasLineOf(name, evr);
}

/** The lines that have advisories. */
const ratedLines: ReadonlySet<string> = new Set([
  'kernel-5.4',
  'kernel-5.10',
  'kernel-5.15',
  'php-8.0',
  'php-8.1',
  'php-8.2',
  'ruby-2.6',
  'ruby-3.0',
  'mariadb-10.5',
  'postgresql-11',
  'postgresql-12',
  'postgresql-13',
  'postgresql-14',
  'tomcat-8.5',
  'tomcat-9',
  'squid-4',
  'dnsmasq-2',
  'unbound-1.13',
  'unbound-1.17',
  'golang-1.19',
  'r-3.4',
  'r-4',
]);

/** Whether Amazon publishes advisories for a line; it has none for older topics such as PHP 7.4. */
export function isRatedLine(line: string): boolean {
  return line === '' || ratedLines.has(line);
}
