import type { DistTag } from './dist-tag.ts';

/**
 * A collection of packages beside a distribution, with its own publisher and advisories. Its packages share
 * names with the distribution's, so their versions compare only within the add-on's line.
 */
export interface AddOn {
  /** The line of its builds; one of the closed lines. */
  readonly line: string;
  /** Its names in rpm's vendor tag, lower case. */
  readonly vendors: ReadonlySet<string>;
  /** Ids of its advisories. */
  readonly advisoryId: RegExp;
  /** Ids of its repositories in its own configuration. */
  readonly repositoryId: RegExp;
  /** Whether a build with this dist tag is for the release with this number. */
  isOwnTag(tag: DistTag, number: string): boolean;
  /** Converts a version to the form in which builds for several minor releases compare. */
  comparable(evr: string): string;
}

/** The tag of a build for one minor release: `.el10_1`. */
const minorOfTag = /(\.el\d{1,2})_\d{1,2}(?!\d)/g;

/**
 * EPEL: Fedora's packages for Red Hat Enterprise Linux and its rebuilds. From 10 on one source is built for
 * each minor release (https://docs.fedoraproject.org/en-US/epel/): such builds differ only in the minor
 * release of their dist tag.
 */
export const epel: AddOn = {
  line: 'epel',
  vendors: new Set(['fedora project']),
  advisoryId: /^FEDORA-EPEL-/,
  repositoryId: /^epel(?:-(?!debug|source)|$)/,
  isOwnTag: ({ family, number: tagged }, number) => family === 'el' && tagged === number,
  comparable: (evr) => evr.replace(minorOfTag, '$1'),
};

/**
 * Package Hub: packages of openSUSE for SUSE Linux Enterprise (https://packagehub.suse.com). Their dist tag `bp155` names the
 * service pack; a build of an earlier one stays in later ones. The repository `…Packagehub-Subpackages…` beside it has
 * packages of SUSE.
 */
export const packageHub: AddOn = {
  line: 'package-hub',
  vendors: new Set(['opensuse']),
  advisoryId: /^openSUSE-/,
  repositoryId: /(?:^|[:_-])SUSE-?PackageHub-/i,
  isOwnTag: () => false,
  comparable: (evr) => evr,
};
