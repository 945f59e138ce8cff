import type { SectionFailure } from '@plimsoll/model';

/**
 * How dnf, dnf5, yum, zypper and apt say that a repository could not be read or verified. A cache that was never made, and
 * one that is only old, are no errors of the repository.
 */
const fetchError = new RegExp(
  [
    'failed to (?:synchronize cache|download metadata|fetch)',
    '(?:skipping|disabling) repository',
    'have not been refreshed because',
    'errors? during downloading metadata',
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
export interface RepositoryError {
  readonly text: string;
  /** Those that can be its id. */
  readonly words: ReadonlySet<string>;
}

/** The failures that are about repositories, without the names of their sections; each text once. */
export function repositoryErrors(failures: readonly SectionFailure[]): readonly RepositoryError[] {
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
