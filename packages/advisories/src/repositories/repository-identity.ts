import type { OsFamily } from '@plimsoll/model';

/** The reported facts that identify a repository across hosts. */
export interface RepositoryPlace {
  readonly family: OsFamily;
  /** The host's id for it: on rpm the repository id. */
  readonly id: string;
  readonly url: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly architecture: string;
  /** The host's distribution and its major version, `fedora 42`. */
  readonly release: string;
}

/** The common properties of a repository's copies. `key` is equal only for copies of the same repository. */
export interface RepositoryIdentity {
  readonly key: string;
  /** Its display name: `noble-security`, `baseos`. */
  readonly name: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly architecture: string;
  /** The common prefix of all addresses; empty if the copies have different addresses. */
  readonly base: string;
}

/** Distributions whose Origin identifies the same repository at every address. */
const distributionOrigin = /^(?:debian|ubuntu|raspbian|kali|linuxmint|devuan)/i;

/** Addresses of mirror lists: their query, which collectors omit, can select the repository. */
const mirrorListPath = /metalink|mirrorlist|mirror\.list/i;

/** The longest text of an identity, in UTF-16 code units: longer than any real one, short enough for an index. */
const maxTextLength = 512;

/**
 * The identity of a copy by the contract's rule: equal Origin, Suite, Component and architecture (apt) or equal base
 * address (rpm). Two further conditions separate different repositories: copies with a third party's Origin must also
 * have the same address, because a company can have many repositories; copies behind a mirror list must have the same
 * repository id, release and architecture. Null for a copy on the host's own disk, which no other host has, and for
 * texts longer than real ones, which only a hostile host sends.
 */
export function repositoryIdentity(place: RepositoryPlace): RepositoryIdentity | null {
  const { id, url, origin, suite, component, architecture } = place;
  if ([id, url, origin, suite, component, architecture].some(({ length }) => length > maxTextLength))
    return null;
  return repositoryRules[place.family].identityOf(place);
}

/**
 * Whether a repository's Origin, which packages name as their vendor, is a third party's. Only apt states an Origin.
 */
export function isThirdPartyOrigin(family: OsFamily, origin: string): boolean {
  return repositoryRules[family].isThirdParty(origin);
}

/** How to identify the repositories of a family. */
interface RepositoryRules {
  identityOf(place: RepositoryPlace): RepositoryIdentity | null;
  isThirdParty(origin: string): boolean;
}

const repositoryRules: Readonly<Record<OsFamily, RepositoryRules>> = {
  apt: {
    identityOf: aptIdentity,
    isThirdParty: (origin) => origin !== '' && !isDistributionOrigin(origin),
  },
  rpm: { identityOf: rpmIdentity, isThirdParty: () => false },
  // Without a known family, a repository cannot be matched with other hosts'.
  unknown: { identityOf: () => null, isThirdParty: () => false },
};

/** Whether a repository's Origin is the distribution's own. */
function isDistributionOrigin(origin: string): boolean {
  return distributionOrigin.test(origin);
}

function aptIdentity({ id, url, origin, suite, component, architecture }: RepositoryPlace) {
  const isDistributions = isDistributionOrigin(origin) && suite !== '';
  const base = isDistributions ? '' : baseAddress(url);
  if (base === null) return null;
  const key = JSON.stringify(['apt', origin, suite, component, architecture, base]);
  return { key, name: suite === '' ? id : suite, origin, suite, component, architecture, base };
}

function rpmIdentity({ id, url, architecture, release }: RepositoryPlace) {
  const base = baseAddress(url);
  if (base === null) return null;
  const isList = mirrorListPath.test(base);
  const key = JSON.stringify(isList ? ['rpm', base, id, release, architecture] : ['rpm', base]);
  return { key, name: id, origin: '', suite: '', component: '', architecture, base };
}

/** Host and path of an address, without its scheme, because http and https lead to the same. */
function baseAddress(url: string): string | null {
  const [, host, path] = /^(?:https?|ftp):\/\/([^/]+)(\/.*)?$/i.exec(url) ?? [];
  return host === undefined ? null : `${host.toLowerCase()}${withoutLastSlashes(path ?? '')}`;
}

/** A loop: a regular expression takes quadratic time for many inner slashes. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
