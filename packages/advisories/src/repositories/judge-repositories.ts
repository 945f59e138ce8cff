import {
  compareText,
  type Platform,
  type RepositoriesState,
  type Repository,
  type RepositoryRefresh,
  type SectionFailure,
} from '@plimsoll/model';
import { type CopyVerdict, judgeCopy, type NewestDates, unknownDates } from './judge-copy.ts';
import { type LagRules, maxLagDays } from './max-lag.ts';
import { isThirdPartyOrigin, type RepositoryIdentity, repositoryIdentity } from './repository-identity.ts';

/** One host's copy of one repository. */
export interface RepositoryCopy {
  /** The host's id for it: the Release file on apt, the repository id on rpm. */
  readonly source: string;
  readonly url: string;
  readonly origin: string;
  readonly suite: string;
  /** On apt every component that the host uses, separated by spaces. */
  readonly component: string;
  readonly enabled: boolean;
  /**
   * Whether the host takes packages from it: it is enabled, and for a third party's repository a package of it is
   * installed.
   */
  readonly isUsed: boolean;
  readonly fetchedAt: Date | null;
  readonly publishedAt: Date | null;
  readonly validUntil: Date | null;
  readonly error: string;
  /** Null if no other host can have the same repository; see repositoryIdentity. */
  readonly identity: RepositoryIdentity | null;
}

/** The facts that copies are derived from. */
export interface HostRepositoryFacts {
  readonly platform: Pick<Platform, 'osFamily' | 'osId' | 'osVersionId' | 'architecture'>;
  readonly repositories: readonly Repository[];
  /** Vendors of installed packages; null if unknown. */
  readonly vendors: ReadonlySet<string> | null;
  readonly refreshed: readonly RepositoryRefresh[];
  /** What the host's tools said about sections that failed. */
  readonly failures: readonly SectionFailure[];
}

/** Limits on repositories per host and on the length of their names; real hosts have a few dozen. */
const maxCopies = 500;
const maxSourceLength = 512;

/**
 * A host's copies of its repositories, by source. The package lists of one Release file are one copy, because they
 * share its date; the first of their components identifies it, `main` before others.
 */
export function repositoryCopies(facts: HostRepositoryFacts): readonly RepositoryCopy[] {
  const refreshes = newestRefreshes(facts.refreshed);
  const lists = new Map<string, PackageList[]>();
  for (const repository of facts.repositories) {
    const list = packageListOf(repository, refreshes);
    if (list.source === '' || list.source.length > maxSourceLength) continue;
    const group = lists.get(list.source);
    if (group !== undefined) group.push(list);
    else if (lists.size < maxCopies) lists.set(list.source, [list]);
  }
  const errors = repositoryErrors(facts.failures);
  return [...lists]
    .sort(([a], [b]) => compareText(a, b))
    .map(([source, group]) => copyOf(source, group, { refresh: refreshes.get(source), errors }, facts));
}

interface PackageList {
  readonly source: string;
  readonly component: string;
  /** Empty for the host's own. */
  readonly architecture: string;
  readonly repository: Repository;
}

/** A component has few slashes, which apt writes as underscores. */
const maxComponentParts = 8;

/** Splits apt's name of a package list, `SERVER_PATH_dists_SUITE_COMPONENT_binary-ARCHITECTURE`. */
function packageListOf(repository: Repository, refreshes: ReadonlyMap<string, unknown>): PackageList {
  const { id } = repository;
  const whole = { source: id, component: '', architecture: '', repository };
  const at = id.lastIndexOf('_binary-');
  if (at < 0 || refreshes.has(id) || id.length > 2 * maxSourceLength) return whole;
  const architecture = id.slice(at + '_binary-'.length);
  const place = id.slice(0, at);
  let split = place.lastIndexOf('_');
  const nearest = split;
  for (let part = 0; part < maxComponentParts && split > 0; part++) {
    if (refreshes.has(place.slice(0, split))) break;
    split = place.lastIndexOf('_', split - 1);
  }
  const end = split > 0 && refreshes.has(place.slice(0, split)) ? split : nearest;
  if (end <= 0) return whole;
  return { source: place.slice(0, end), component: place.slice(end + 1), architecture, repository };
}

function copyOf(
  source: string,
  lists: readonly PackageList[],
  {
    refresh,
    errors,
  }: { readonly refresh: RepositoryRefresh | undefined; readonly errors: readonly RepositoryError[] },
  { platform, vendors }: HostRepositoryFacts,
): RepositoryCopy {
  const enabled = lists.some(({ repository }) => repository.enabled);
  const used = lists.filter(({ repository }) => repository.enabled === enabled);
  const components = [...new Set(used.map(({ component }) => component))].sort(compareText);
  const first = used.find(({ component }) => component === 'main') ?? used[0] ?? lists[0];
  const { url = '', origin = '', suite = '' } = first?.repository ?? {};
  const isThirdParty = isThirdPartyOrigin(platform.osFamily, origin);
  const identity = repositoryIdentity({
    family: platform.osFamily,
    id: source,
    url,
    origin,
    suite,
    component: first?.component ?? '',
    architecture: first?.architecture || platform.architecture,
    release: `${platform.osId} ${platform.osVersionId.split('.', 1)[0]}`,
  });
  return {
    source,
    url,
    origin,
    suite,
    component: components.join(' ').trim(),
    enabled,
    isUsed: enabled && (!isThirdParty || vendors === null || vendors.has(origin)),
    fetchedAt: refresh?.at ?? null,
    publishedAt: refresh?.publishedAt ?? null,
    validUntil: refresh?.validUntil ?? null,
    error: refresh?.error || (errors.find(({ words }) => words.has(source))?.text ?? ''),
    identity,
  };
}

/** The last fetched refresh of each repository: a package manager can keep older copies. */
function newestRefreshes(refreshed: readonly RepositoryRefresh[]): ReadonlyMap<string, RepositoryRefresh> {
  const newest = new Map<string, RepositoryRefresh>();
  for (const refresh of refreshed) {
    const other = newest.get(refresh.repositoryId);
    if (other === undefined || (refresh.at?.getTime() ?? 0) >= (other.at?.getTime() ?? 0)) {
      newest.set(refresh.repositoryId, refresh);
    }
  }
  return newest;
}

/** A copy with its judgement. */
export interface JudgedCopy extends CopyVerdict {
  readonly copy: RepositoryCopy;
  readonly maxLagDays: number;
}

/** A host's repositories with their judgements. */
export interface JudgedRepositories {
  readonly copies: readonly JudgedCopy[];
  readonly state: RepositoriesState;
  /** The earliest Valid-Until of the used repositories; null if none has one. */
  readonly validUntil: Date | null;
  /** What the host's tool says about an enabled repository that could not be read or verified; empty if none is known. */
  readonly error: string;
}

/** The rules to judge a host's repositories by. */
interface RepositoryRules {
  readonly lag: LagRules;
  readonly tags: readonly string[];
  /** What is known of a repository's dates, by its identity's key. */
  newestOf(key: string): NewestDates | null;
  readonly failures: readonly SectionFailure[];
  readonly now: Date;
}

/**
 * Judges a host's copies. The host is outdated if any used repository is, and current only if all are; a host without
 * used repositories is unknown.
 */
export function judgeRepositories(
  copies: readonly RepositoryCopy[],
  { lag, tags, newestOf, failures, now }: RepositoryRules,
): JudgedRepositories {
  const used = copies.filter(({ isUsed }) => isUsed);
  const hostFetchedAt = latest(used.map(({ fetchedAt }) => fetchedAt));
  const judged = copies.map((copy): JudgedCopy => {
    const days = maxLagDays(lag, copy, tags);
    const newest = copy.identity === null ? null : newestOf(copy.identity.key);
    const verdict = judgeCopy(copy, { ...(newest ?? unknownDates), maxLagDays: days, hostFetchedAt, now });
    return { copy, maxLagDays: days, ...verdict };
  });
  // Of one that no package is from, too: the tool that fetches lists fails with it.
  const failing = [...used, ...copies].find(({ enabled, error }) => enabled && error !== '');
  const states = judged.filter(({ copy }) => copy.isUsed).map(({ state }) => state);
  return {
    copies: judged,
    state: hostState(states),
    validUntil: earliest(used.map((copy) => copy.validUntil)),
    error:
      failing === undefined
        ? repositoryErrors(failures)
            .filter(({ words }) => !copies.some(({ source }) => words.has(source)))
            .map(({ text }) => text)
            .join('; ')
        : `${failing.suite === '' ? failing.source : failing.suite}: ${failing.error}`,
  };
}

function hostState(states: readonly RepositoriesState[]): RepositoriesState {
  if (states.includes('outdated')) return 'outdated';
  return states.length === 0 || states.includes('unknown') ? 'unknown' : 'current';
}

function latest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce(
    (newest, date) => (date !== null && (newest === null || date > newest) ? date : newest),
    null,
  );
}

function earliest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce(
    (oldest, date) => (date !== null && (oldest === null || date < oldest) ? date : oldest),
    null,
  );
}

/**
 * How dnf, dnf5, yum, zypper and apt say that a repository could not be read or verified. A cache that was never made, and
 * one that is only old, are no errors of the repository.
 */
const fetchError = new RegExp(
  [
    'failed to (?:synchronize cache|download metadata|fetch)',
    '(?:skipping|disabling) repository',
    'have not been refreshed because',
    'errors? (?:during downloading metadata|communicating with (?:RHN|Spacewalk|ULN))',
    'cannot (?:retrieve (?:repository metadata|metalink)|find a valid baseurl|download repomd)',
    'no more mirrors to try',
    'valid metadata not found',
    'problem retrieving files',
    'timeout exceeded when accessing',
    'status code: [45]\\d\\d',
    '(?:librepo|curl) error',
    'signature verification (?:error|failed)',
    'signing file \\S+ has expired',
    'GPG error|NO_PUBKEY|EXPKEYSIG|KEYEXPIRED|does not have a Release file|is not signed|no longer signed',
  ].join('|'),
  'i',
);
const noCache = /(?:failed to download metadata[^:]*: )?cache-only enabled[^:]*/gi;
const sectionName = /^[\w-]+: (?:a repository was left out: )?/;
/** A host has a few dozen repositories. */
const mostErrors = 100;

/** What a host's tools say about a repository that they could not read or verify. */
interface RepositoryError {
  readonly text: string;
  /** Those that can be its id. */
  readonly words: ReadonlySet<string>;
}

/** The failures that are about repositories, without the names of their sections; each text once. */
function repositoryErrors(failures: readonly SectionFailure[]): readonly RepositoryError[] {
  const texts = failures
    .filter(({ detail }) => fetchError.test(detail.replace(noCache, '')))
    .map(({ detail }) => detail.replace(sectionName, ''));
  return [...new Set(texts)].slice(0, mostErrors).map((text) => ({ text, words: wordsOf(text) }));
}

/** The words of a text, with and without their punctuation, and without the version that yum appends to ids. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.split(/[\s'"“”‘’,;()]+/);
  return new Set(words.flatMap((word) => [word, word.replace(/[.:]$/, ''), word.split('/', 1)[0] ?? '']));
}
