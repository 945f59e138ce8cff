import type { SectionFailure } from '@plimsoll/model';

/**
 * How dnf, dnf5, yum, zypper and apt say that a repository could not be read or verified. A cache that was never made, and
 * one that is only old, are no errors of the repository.
 */
const fetchError =
  /failed to (?:synchronize cache|download metadata|fetch)|(?:skipping|disabling) repository|have not been refreshed because|errors? during downloading metadata|cannot (?:retrieve repository metadata|find a valid baseurl|download repomd)|no more mirrors to try|valid metadata not found|signature verification (?:error|failed)|GPG error|NO_PUBKEY|EXPKEYSIG|KEYEXPIRED|does not have a Release file|is not signed/i;
const noCache = /cache-only enabled/i;
const sectionName = /^[\w-]+: (?:a repository was left out: )?/;

/** What a failure says about a repository, without the name of its section; null if it is about something else. */
function fetchErrorOf({ detail }: SectionFailure): string | null {
  return fetchError.test(detail) && !noCache.test(detail) ? detail.replace(sectionName, '') : null;
}

/** The tool's words about the repository with this id; empty without any. */
export function errorAbout(id: string, failures: readonly SectionFailure[]): string {
  return failures.map(fetchErrorOf).find((error) => error !== null && names(error, id)) ?? '';
}

/** The tool's words about repositories of which the host has no copy, each once. */
export function fetchErrorsIn(
  failures: readonly SectionFailure[],
  copies: readonly { readonly source: string }[],
): readonly string[] {
  const errors = failures.flatMap((failure) => fetchErrorOf(failure) ?? []);
  return [...new Set(errors)].filter((error) => !copies.some(({ source }) => names(error, source)));
}

/** Whether a text has the id as a word of its own. */
function names(text: string, id: string): boolean {
  return (
    id !== '' && text.split(/[\s'"“”‘’,;()]+/).some((word) => word === id || word.replace(/[.:]$/, '') === id)
  );
}
