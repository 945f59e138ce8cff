import type { Advisory, AdvisoryKey, Builds, Fix, Rating, SourceNaming } from '@plimsoll/model';

/** One advisory's word on one package name in one release, as it is stored. */
export interface Statement extends Rating {
  readonly statementId: number;
  readonly advisory: AdvisoryKey;
  readonly kind: Advisory['kind'];
  readonly externalId: string;
  readonly cves: readonly string[];
  readonly fix: StatementFix;
  readonly builds: Builds;
  /** Left out: it names what packages of the release are matched by. */
  readonly names?: SourceNaming;
  readonly withdrawn: boolean;
  /** Whether one of its CVEs is known to be exploited. */
  readonly knownExploited: boolean;
}

/** A Fix whose version has its sort key. */
export type StatementFix =
  | (Extract<Fix, { kind: 'fixed' }> & { readonly key: Uint8Array })
  | Extract<Fix, { kind: 'unfixed' }>;

/** Whether a statement counts towards a finding's severity and state; one that the vendor calls negligible is hidden. */
export function isVisible(statement: Statement): boolean {
  return statement.severity !== 'none';
}
