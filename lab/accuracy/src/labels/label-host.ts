import type { PackageFamily, Release } from '@plimsoll/model';
import type { StatementBook } from '../feeds/statement-book.ts';
import { type ListedPackage, reportFamilyOf, reportOfHostList } from '../inventory/host-list.ts';
import { type Inventory, inventoryOfReport } from '../inventory/inventory.ts';
import type { MatchLabel } from './read-labels.ts';
import type { RecordedPackages } from './recorded-packages.ts';

/** An image's operating system. */
export interface ImageSystem {
  readonly os: string;
  readonly version: string;
  readonly release: Release;
}

/** The labelled packages of an image, as a host. */
export interface LabelHost {
  readonly inventory: Inventory;
  /** Labels of the host's packages, and labels of something else: a package of a language, a file. */
  readonly labels: readonly MatchLabel[];
  readonly outside: number;
  /** The source names by `NAME VERSION`; absent: not recorded. */
  readonly sources: ReadonlyMap<string, string>;
}

type NamedPackage = NonNullable<MatchLabel['package']>;

/** What a label's package is in a family of packages. */
interface FamilyLabels {
  /** Whether the system has installed it: not a package of a language or a file. */
  isOwn(named: NamedPackage, recorded: RecordedPackages): boolean;
  listed(named: NamedPackage): ListedPackage;
}

/** The release of an rpm names its distribution: `1-2.el8_4`, `1-2.module+el8+1+abc`, `1-2.amzn2.0.1`. */
const distTag = /-[^-]*[._+](?:el|amzn)\d/;

const labelsOf: Readonly<Record<PackageFamily, FamilyLabels>> = {
  apt: {
    isOwn: ({ name, version }, recorded) =>
      recorded.has(name) && (version.includes('-') || recorded.isNative(name)),
    listed: aptOf,
  },
  rpm: { isOwn: ({ version }) => distTag.test(version), listed: rpmOf },
};

/**
 * Builds a host from labelled packages. Facts that labels omit come from data and are not guessed: the source
 * package from recorded hosts, and the module stream from the advisories for a modular package, if exactly
 * one stream matches the start of its version.
 */
export function labelHost(
  { os, version, release }: ImageSystem,
  all: readonly MatchLabel[],
  recorded: RecordedPackages,
  books: readonly StatementBook[],
): LabelHost {
  const { isOwn, listed } = labelsOf[reportFamilyOf(os)];
  const labels = all.filter((label) => label.package !== null && isOwn(label.package, recorded));
  const sources = new Map<string, string>();
  const streams = streamsByBuild(labels, release, books);
  const packages = new Map<string, ListedPackage>();
  for (const { package: named } of labels) {
    if (named === null) continue;
    const key = packageKey(named.name, named.version);
    const source = recorded.sourceOf(named.name, named.version, release);
    if (source !== null) sources.set(key, source.name);
    packages.set(key, {
      ...listed(named),
      sourceName: source?.name ?? '',
      sourceVersion: source?.version ?? '',
      vendor: os === 'rhel' && isCentosBuild.test(named.version) ? 'CentOS' : '',
      module: streams.get(buildOf(named.version)) ?? '',
    });
  }
  const report = reportOfHostList({
    os: { id: os, version },
    runningRelease: '',
    runningVersion: '',
    packages: [...packages.values()],
  });
  return {
    inventory: inventoryOfReport(`${os} ${version}`, report, new Date(0)),
    labels,
    outside: all.length - labels.length,
    sources,
  };
}

/** The key of a package version. */
export function packageKey(name: string, version: string): string {
  return `${name} ${version}`;
}

const unknown = {
  architecture: '',
  sourceName: '',
  sourceVersion: '',
  vendor: '',
  module: '',
  candidate: null,
};

function aptOf({ name, version }: NamedPackage): ListedPackage {
  return { ...unknown, name, version, epoch: '', release: '' };
}

function rpmOf({ name, version }: NamedPackage): ListedPackage {
  const [, epoch = '', upstream = '', release = ''] = /^(?:(\d+):)?(.*)-([^-]*)$/.exec(version) ?? [];
  return { ...unknown, architecture: 'x86_64', name, epoch, version: upstream, release };
}

/** Modules of Red Hat are `.module+el8`; on RHEL, `.module_el8` is a build of CentOS. */
const isCentosBuild = /\.module_el/;

/** The part of the version that all packages of one module build share; empty if not of a module. */
function buildOf(version: string): string {
  return /\.module[+_].*$/.exec(version)?.[0].replace(/\.\d{1,2}$/, '') ?? '';
}

/**
 * A module label for each module build: the only stream in advisories that is named like one of its packages
 * (`php:7.4` for `php-cli`) and matches the start of that package's version. The other packages of the build
 * get the same label.
 */
function streamsByBuild(
  labels: readonly MatchLabel[],
  release: Release,
  books: readonly StatementBook[],
): ReadonlyMap<string, string> {
  const streams = new Map<string, Set<string>>();
  for (const { package: named } of labels) {
    const build = buildOf(named?.version ?? '');
    if (named === null || build === '') continue;
    const upstream = named.version.replace(/^\d+:/, '');
    const about = books.flatMap((book) =>
      book.about(release, { matchName: named.name, sourceName: named.name }),
    );
    for (const { builds } of about) {
      const [name = '', stream = ''] = (builds.module ?? '').split(':');
      const isNamed = name !== '' && (named.name === name || named.name.startsWith(`${name}-`));
      if (!isNamed || !upstream.startsWith(`${stream}.`)) continue;
      streams.set(build, (streams.get(build) ?? new Set()).add(`${name}:${stream}:1:1`));
    }
  }
  return new Map(
    [...streams].flatMap(([build, found]) => {
      const [only] = found;
      return found.size === 1 && only !== undefined ? [[build, only] as const] : [];
    }),
  );
}
