import type { FixState, Severity } from '@plimsoll/model';

/** One line of an answer: an advisory or CVE that affects an installed package. */
export interface ListedPair {
  /** The advisory's id, or a CVE if the expectation lists CVEs. */
  readonly id: string;
  readonly package: string;
  /** Further distinction of lines (`1:1.40.16-18.el8_10.x86_64`); empty if the expectation has none. */
  readonly build: string;
  /** Null if the expectation does not state it. */
  readonly severity: Severity | null;
  readonly fixState: FixState | null;
}

/** A key that is equal for the same line of two answers. */
export function pairKey({ id, package: name, build }: ListedPair): string {
  return build === '' ? `${id} ${name}` : `${id} ${name} ${build}`;
}
