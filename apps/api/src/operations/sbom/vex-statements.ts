import { compareText } from '@plimsoll/model';
import type { VexContent } from './vex-content.ts';
import type { SaidVulnerability } from './vulnerabilities.ts';

/** What is said of a package under a vulnerability. */
export type StatementStatus = 'affected' | 'under_investigation' | 'not_affected';

/** What packages are under one vulnerability, by what is said of them. */
export interface VexStatement {
  readonly id: string;
  readonly status: StatementStatus;
  /** Whether a mitigation is the reason: only of `not_affected`. */
  readonly isMitigated: boolean;
  readonly detail: string;
  /** What to do; null: nothing is known. */
  readonly recommendation: string | null;
  readonly willNotFix: boolean;
  /** Numbers of packages of the content. */
  readonly packages: readonly number[];
}

/** From best to worst: of several statements about a package under a vulnerability the worst is said. */
const order: readonly StatementStatus[] = ['not_affected', 'under_investigation', 'affected'];

/**
 * What is said of packages, of each package once under each vulnerability, ordered by the id of the vulnerability. Open
 * vulnerabilities only: what is not named was not found, which says nothing about packages that could not be checked.
 */
export function statementsOf({ packages, vulnerabilities }: VexContent): readonly VexStatement[] {
  const statements = new Map<string, VexStatement & { readonly packages: number[] }>();
  for (const [number, one] of packages.entries()) {
    for (const said of worstOf(one.vulnerabilities.flatMap((n) => vulnerabilities[n] ?? []))) {
      const key = keyOf(said);
      const known = statements.get(key) ?? { ...statementOf(said), packages: [] };
      statements.set(key, known);
      known.packages.push(number);
    }
  }
  return [...statements].sort(([a], [b]) => compareText(a, b)).map(([, statement]) => statement);
}

function keyOf(said: SaidVulnerability): string {
  const { detail, justification } = said.analysis;
  return JSON.stringify([said.id, statusOf(said), justification, detail, said.recommendation ?? null]);
}

function statementOf(said: SaidVulnerability): Omit<VexStatement, 'packages'> {
  const { detail, justification, response = [] } = said.analysis;
  const status = statusOf(said);
  return {
    id: said.id,
    status,
    isMitigated: status === 'not_affected' && justification !== undefined,
    detail,
    recommendation: said.recommendation ?? null,
    willNotFix: response.includes('will_not_fix'),
  };
}

/** What is said of a package under each vulnerability, in the order of the vulnerabilities. */
function worstOf(all: readonly SaidVulnerability[]): Iterable<SaidVulnerability> {
  const worst = new Map<string, SaidVulnerability>();
  for (const said of all) {
    const known = worst.get(said.id);
    if (known === undefined || compareSaid(said, known) < 0) worst.set(said.id, said);
  }
  return worst.values();
}

/** The worse first; of equally bad ones what says how to mend it, then by their texts. */
function compareSaid(a: SaidVulnerability, b: SaidVulnerability): number {
  return (
    order.indexOf(statusOf(b)) - order.indexOf(statusOf(a)) ||
    Number(a.recommendation === undefined) - Number(b.recommendation === undefined) ||
    compareText(keyOf(a), keyOf(b))
  );
}

function statusOf({ analysis: { state } }: SaidVulnerability): StatementStatus {
  if (state === 'not_affected' || state === 'false_positive') return 'not_affected';
  return state === 'in_triage' ? 'under_investigation' : 'affected';
}
