import { AppError } from '@plimsoll/model';
import { likeOfPattern } from '../../core/conditions.ts';
import { changeHostRules } from '../../core/locks.ts';
import type { Statements } from '../../core/transaction.ts';
import { statementsIn, type Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { writePolicy } from './write-policy.ts';

/** A rule that gives hosts tags to which all of its conditions apply; see `tag_rule_applies` in prisma/sql/fleet.sql. */
export interface TagRule {
  readonly tags: readonly string[];
  /** A pattern with `*` and `?` for the whole name, ignoring case. */
  readonly name?: string;
  /** `debian`, `debian:12`. */
  readonly os?: string;
  /** An address or a network with its prefix length. */
  readonly address?: string;
  /** The id of the token with which the host enrolled. */
  readonly registration_token?: string;
  /** Whether what a host states itself counts as it states it. */
  readonly trust_hosts: boolean;
}

/** The rules in force that give hosts tags. */
export interface TagRules {
  readonly rules: readonly TagRule[];
  /** Null: never. */
  readonly changed: { readonly at: Date; readonly by: string } | null;
  /** Whether hosts may still have tags by earlier rules. */
  readonly isApplying: boolean;
}

/** A rule as the database has it: with its pattern in the form of LIKE. */
interface StoredRule extends TagRule {
  readonly name_like?: string;
}

interface RuleDocument {
  readonly rules: readonly StoredRule[];
  /** True until a pass over all hosts has ended; see tag-walk.ts. */
  readonly applying: boolean;
}

/** Reads the rules in force. */
export async function readTagRules(client: Statements): Promise<TagRules> {
  const { rows } = await client.query<{ document: RuleDocument; at: Date; by: string }>(
    `SELECT document, changed_at AS at, changed_by AS by FROM policies WHERE name = 'tags'`,
  );
  const [row] = rows;
  if (row === undefined) return { rules: [], changed: null, isApplying: false };
  const rules = row.document.rules.map(({ name_like: _, ...rule }) => rule); // Only setTagRules writes them.
  return { rules, changed: { at: row.at, by: row.by }, isApplying: row.document.applying };
}

/** Puts rules in force. Hosts that change later get their tags by them at once, all others by createTagWalk. */
export async function setTagRules(tx: Transaction, rules: readonly TagRule[], by: AuditActor): Promise<void> {
  const statements = statementsIn(tx);
  await requireTokens(tx, rules);
  await changeHostRules(statements);
  const { rules: before } = await readTagRules(statements);
  const document: RuleDocument = { rules: storedRules(rules), applying: true };
  await writePolicy(statements, 'tags', document, by);
  await recordAuditEvent(tx, {
    action: 'tag_rules.changed',
    actor: by,
    target: { kind: 'policy', id: 'tags', name: null },
    details: { rules: { from: before.map(ruleText), to: rules.map(ruleText) } },
  });
}

/** Rules as `tag_rule_applies` reads them. */
export function storedRules(rules: readonly TagRule[]): readonly StoredRule[] {
  return rules.map((rule) =>
    rule.name === undefined ? rule : { ...rule, name_like: likeOfPattern(rule.name) },
  );
}

async function requireTokens(tx: Transaction, rules: readonly TagRule[]): Promise<void> {
  const named = rules.flatMap(({ registration_token: id }) => id ?? []);
  const found = await tx.registrationToken.findMany({ where: { id: { in: named } }, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  const errors = rules.flatMap(({ registration_token: id }, n) =>
    id === undefined || known.has(id)
      ? []
      : [{ pointer: `/rules/${n}/registration_token`, detail: 'no registration token has this id' }],
  );
  if (errors.length > 0)
    throw new AppError('validation_failed', 'A registration token does not exist.', { errors });
}

/** A rule as one line of the audit log. */
function ruleText({ tags, trust_hosts, ...conditions }: TagRule): string {
  const stated = Object.entries(conditions).map(([name, value]) => `${name}=${value}`);
  return `${[...stated, ...(trust_hosts ? ['trust_hosts'] : [])].join(' ')}: ${tags.join(', ')}`;
}
