import type { FixState, Severity } from '@plimsoll/model';

/** One line of an answer: an advisory or CVE that affects an installed package. */
export interface ListedPair {
  /** The advisory's id, or a CVE where the other side lists CVEs. */
  readonly id: string;
  readonly package: string;
  /** What else tells lines apart (`1:1.40.16-18.el8_10.x86_64`); empty where the other side lists nothing else. */
  readonly build: string;
  /** Null where the other side does not say. */
  readonly severity: Severity | null;
  readonly fixState: FixState | null;
}

/** A text that is equal for the same line of two answers. */
export function pairKey({ id, package: name, build }: ListedPair): string {
  return build === '' ? `${id} ${name}` : `${id} ${name} ${build}`;
}
