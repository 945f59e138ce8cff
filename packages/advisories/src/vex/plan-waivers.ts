import { isCveName, type VexRejection, type WaiverKind } from '@plimsoll/model';
import { readPackagePattern } from '../waivers/package-pattern.ts';
import type { VexStatement } from './vex-document.ts';

/** What statements say of one vulnerability with one reason. */
export interface PlannedDecision {
  readonly kind: Extract<WaiverKind, 'false_positive' | 'mitigated'>;
  /** CVEs, or else the first other name of the vulnerability. */
  readonly names: readonly string[];
  readonly purls: readonly string[];
  /** The host that the document names; null: those that the user chooses. */
  readonly hostId: string | null;
  readonly reason: string;
  readonly statements: readonly VexStatement[];
}

/** A statement that becomes no waiver. */
export interface RejectedStatement {
  readonly statement: VexStatement;
  readonly reason: VexRejection;
}

/** What a document asks for: every statement of it is in a decision or rejected. */
export interface VexPlan {
  readonly decisions: readonly PlannedDecision[];
  readonly rejected: readonly RejectedStatement[];
}

/** Where a document holds, by the choice of the user. */
export interface VexPlace {
  /** The whole fleet: then a statement about a package within another product is about none of its hosts. */
  readonly allHosts: boolean;
  /** Whether a host that the document names exists and was chosen. */
  hostState(id: string): 'chosen' | 'not_chosen' | 'unknown';
}

/** Divides the statements of a document into decisions, in their order. */
export function planWaivers(statements: readonly VexStatement[], place: VexPlace): VexPlan {
  const rejected: RejectedStatement[] = [];
  const decisions = new Map<string, { -readonly [K in keyof PlannedDecision]: PlannedDecision[K] }>();
  for (const statement of statements) {
    const judged = judge(statement, place);
    if (typeof judged === 'string') {
      rejected.push({ statement, reason: judged });
      continue;
    }
    const { kind, purl } = judged;
    const names = waivedNames(statement.names);
    const { hostId } = statement.product;
    const key = JSON.stringify([kind, names, hostId, statement.reason]);
    const known = decisions.get(key) ?? {
      kind,
      names,
      purls: [],
      hostId,
      reason: statement.reason,
      statements: [],
    };
    known.purls = [...new Set([...known.purls, purl])];
    known.statements = [...known.statements, statement];
    decisions.set(key, known);
  }
  return { decisions: [...decisions.values()], rejected };
}

function judge(
  { names, status, product }: VexStatement,
  place: VexPlace,
): VexRejection | { readonly kind: PlannedDecision['kind']; readonly purl: string } {
  if (names.length === 0) return 'no_vulnerability';
  if (status === 'other') return 'unknown_status';
  if (status === 'affected' || status === 'under_investigation') return status;
  const { purl, within, hostId, shown } = product;
  if (purl === null) return shown === '' ? 'no_product' : 'unknown_product';
  const pattern = readPackagePattern(purl);
  if (pattern === null) return 'unknown_product';
  // What another version has, the advisories say.
  if (status === 'fixed' && pattern.version === null) return 'fixed_without_version';
  if (hostId !== null) {
    const state = place.hostState(hostId);
    if (state !== 'chosen') return state === 'unknown' ? 'unknown_host' : 'other_host';
  } else if (within !== null && place.allHosts) return 'within_other_product';
  return { kind: status === 'mitigated' ? 'mitigated' : 'false_positive', purl };
}

/** The CVEs of a vulnerability; without any its first name: a further one may be of an erratum about others, too. */
function waivedNames(names: readonly string[]): readonly string[] {
  const cves = names.map((name) => name.toUpperCase()).filter(isCveName);
  return cves.length > 0 ? [...new Set(cves)].sort() : names.slice(0, 1);
}

/**
 * Joins decisions that differ only in their vulnerabilities, so that few waivers say the same.
 * @param most names of one.
 */
export function joinDecisions(
  decisions: readonly PlannedDecision[],
  most: number,
): readonly PlannedDecision[] {
  const joined = new Map<string, PlannedDecision[]>();
  for (const decision of decisions) {
    const { kind, purls, hostId, reason } = decision;
    const key = JSON.stringify([kind, [...purls].sort(), hostId, reason]);
    const parts = joined.get(key) ?? [];
    joined.set(key, parts);
    const last = parts.at(-1);
    const names = [...new Set([...(last?.names ?? []), ...decision.names])];
    if (last === undefined || names.length > most) parts.push(decision);
    else
      parts[parts.length - 1] = {
        ...last,
        names,
        statements: [...last.statements, ...decision.statements],
      };
  }
  return [...joined.values()].flat();
}
