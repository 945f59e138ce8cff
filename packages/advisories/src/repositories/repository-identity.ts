import type { OsFamily } from '@plimsoll/model';

/** What tells whether two copies are of the same repository, as a host reports it. */
export interface RepositoryPlace {
  readonly family: OsFamily;
  /** As the host names it: on rpm the repository id. */
  readonly id: string;
  readonly url: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly architecture: string;
  /** The host's distribution and its major version, `fedora 42`. */
  readonly release: string;
}

/** What the copies of one repository have in common. `key` is equal for copies of the same repository only. */
export interface RepositoryIdentity {
  readonly key: string;
  /** What people call it: `noble-security`, `baseos`. */
  readonly name: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly architecture: string;
  /** The address that all copies have in common; empty where they may lie anywhere. */
  readonly base: string;
}

/** Distributions whose own Origin names the same repository wherever a copy of it lies. */
const distributionOrigin = /^(?:debian|ubuntu|raspbian|kali|linuxmint|devuan)/i;

/** Addresses of lists of mirrors: their query, which collectors leave out, may say which repository is meant. */
const mirrorListPath = /metalink|mirrorlist|mirror\.list/i;

/** The longest text of an identity, UTF-16 code units: no repository has longer ones, and an index must hold each name. */
const maxTextLength = 512;

/**
 * The identity of a copy by the contract's rule: equal Origin, Suite, Component and architecture (apt) or equal base
 * address (rpm). Two conditions more keep unlike things apart: an Origin that is no distribution's names a company with
 * many repositories, so that its copies must have the same address, too; and behind the address of a mirror list the
 * repository id, release and architecture must be equal. Null for a copy on the host's own disk, which is nobody else's,
 * and for texts longer than any repository has: only a host that makes them up sends them.
 */
export function repositoryIdentity(place: RepositoryPlace): RepositoryIdentity | null {
  const { id, url, origin, suite, component, architecture } = place;
  if ([id, url, origin, suite, component, architecture].some(({ length }) => length > maxTextLength))
    return null;
  return repositoryRules[place.family].identityOf(place);
}

/** Whether a repository is a third party's by its Origin, which packages name as their vendor. Only apt states one. */
export function isThirdPartyOrigin(family: OsFamily, origin: string): boolean {
  return repositoryRules[family].isThirdParty(origin);
}

/** How the repositories of a family are told apart. */
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
  // A host whose family is not known names no repository that another host could have.
  unknown: { identityOf: () => null, isThirdParty: () => false },
};

/** Whether a repository is the distribution's own by its Origin. */
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

/** Host and path of an address on a server, without its scheme: http and https lead to the same. */
function baseAddress(url: string): string | null {
  const [, host, path] = /^(?:https?|ftp):\/\/([^/]+)(\/.*)?$/i.exec(url) ?? [];
  return host === undefined ? null : `${host.toLowerCase()}${withoutLastSlashes(path ?? '')}`;
}

/** A loop: a regular expression takes quadratic time for many slashes that are not at the end. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
