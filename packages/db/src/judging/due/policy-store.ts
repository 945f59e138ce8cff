import type { DuePolicy, MirrorRule } from '@plimsoll/advisories';
import type { HostExposure } from '@plimsoll/model';
import { recountTerms } from '../../core/change-terms.ts';
import type { Database } from '../../core/database.ts';
import { hasDuePolicy } from '../../core/has-due-policy.ts';
import { changeTerms } from '../../core/locks.ts';
import { inTransaction, statementsIn, type Transaction } from '../../core/transaction.ts';
import { previewTagRules, type TagRulePreview } from '../../fleet/hosts/tag-preview.ts';
import { readTagRules, setTagRules, type TagRule, type TagRules } from '../../fleet/hosts/tag-rules.ts';
import { writePolicy } from '../../fleet/hosts/write-policy.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { readDuePolicy, type StoredDuePolicy } from './host-due-terms.ts';
import { type OriginReach, previewOriginRules, readOriginRules, setOriginRules } from './origin-rules.ts';

/** Gives hosts with a tag an exposure. */
export interface ExposureRule {
  readonly tag: string;
  readonly exposure: Exclude<HostExposure, 'unknown'>;
}

/** The rules in force; the first for a tag of a host counts. */
export interface ExposureRules {
  readonly rules: readonly ExposureRule[];
  /** Null: never. */
  readonly changedAt: Date | null;
}

/** What admins decided for the whole installation. */
export interface PolicyStore {
  duePolicy(): Promise<StoredDuePolicy>;
  /** Puts a policy in force and has all hosts counted again, which the scheduler starts within seconds. */
  setDuePolicy(policy: DuePolicy, by: AuditActor): Promise<void>;
  exposureRules(): Promise<ExposureRules>;
  /** Puts rules in force and has the hosts counted again whose exposure changes. */
  setExposureRules(rules: readonly ExposureRule[], by: AuditActor): Promise<void>;
  originRules(): Promise<readonly MirrorRule[]>;
  /** Puts rules in force and has the hosts judged again that have packages of such origins. */
  setOriginRules(rules: readonly MirrorRule[], by: AuditActor): Promise<void>;
  previewOriginRules(rules: readonly MirrorRule[]): Promise<readonly OriginReach[]>;
  tagRules(): Promise<TagRules>;
  /** Puts rules in force; a scheduler gives all hosts their tags (tag-walk.ts). Throws `validation_failed`. */
  setTagRules(rules: readonly TagRule[], by: AuditActor): Promise<void>;
  /** What rules would change; changes nothing. */
  previewTagRules(rules: readonly TagRule[]): Promise<TagRulePreview>;
}

/** The policies of one database. */
export function createPolicyStore({ pool, prisma }: Database): PolicyStore {
  return {
    duePolicy: () => readDuePolicy(pool),
    setDuePolicy: (policy, by) => inTransaction(prisma, (tx) => setDuePolicy(tx, policy, by)),
    async exposureRules() {
      const row = await prisma.policy.findUnique({ where: { name: 'exposure' } });
      if (row === null) return { rules: [], changedAt: null };
      // Only setExposureRules writes it.
      const { rules } = row.document as unknown as { readonly rules: readonly ExposureRule[] };
      return { rules, changedAt: row.changedAt };
    },
    setExposureRules: (rules, by) => inTransaction(prisma, (tx) => setExposureRules(tx, rules, by)),
    originRules: () => readOriginRules(pool),
    setOriginRules: (rules, by) => setOriginRules(pool, rules, by),
    previewOriginRules: (rules) => previewOriginRules(pool, rules),
    tagRules: () => readTagRules(pool),
    setTagRules: (rules, by) => inTransaction(prisma, (tx) => setTagRules(tx, rules, by)),
    previewTagRules: (rules) => previewTagRules(pool, rules),
  };
}

async function setDuePolicy(tx: Transaction, policy: DuePolicy, by: AuditActor): Promise<void> {
  const statements = statementsIn(tx);
  await changeTerms(statements);
  const before = await readDuePolicy(statements);
  const document = policy.preset === null ? policy : { preset: policy.preset, rules: [] };
  await writePolicy(statements, 'due_dates', document, by);
  await recountTerms(statements, 'SELECT host_id FROM host_state WHERE snapshot_id IS NOT NULL');
  await recordAuditEvent(tx, {
    action: 'due_policy.changed',
    actor: by,
    target: { kind: 'policy', id: 'due_dates', name: null },
    details: {
      preset: { from: before.policy.preset, to: policy.preset },
      rules: { from: before.policy.rules.map(ruleText), to: policy.rules.map(ruleText) },
    },
  });
}

async function setExposureRules(
  tx: Transaction,
  rules: readonly ExposureRule[],
  by: AuditActor,
): Promise<void> {
  const statements = statementsIn(tx);
  await changeTerms(statements);
  // Rows first, because changes of single hosts lock their row before their trigger takes this lock.
  await statements.query(
    'SELECT count(*)::int FROM (SELECT FROM hosts ORDER BY id FOR NO KEY UPDATE) AS locked',
  );
  await statements.query(`SELECT pg_advisory_xact_lock(hashtextextended('exposure rules', 0))::text`);
  const row = await tx.policy.findUnique({ where: { name: 'exposure' } });
  const before = (row?.document as { rules?: readonly ExposureRule[] } | undefined)?.rules ?? [];
  await writePolicy(statements, 'exposure', { rules }, by);
  const named = [...new Set([...before, ...rules].map(({ tag }) => tag))];
  // The trigger derives the exposure.
  await statements.query('UPDATE hosts SET set_exposure = set_exposure WHERE tags && $1::text[]', [named]);
  const isCounted = 'hs.snapshot_id IS NOT NULL AND h.tags && $1::text[]';
  await recountTerms(
    statements,
    `SELECT hs.host_id FROM host_state hs JOIN hosts h ON h.id = hs.host_id WHERE ${isCounted} AND ${hasDuePolicy}`,
    [named],
  );
  await recordAuditEvent(tx, {
    action: 'exposure_rules.changed',
    actor: by,
    target: { kind: 'policy', id: 'exposure', name: null },
    details: { rules: { from: before.map(exposureText), to: rules.map(exposureText) } },
  });
}

/** A rule as one line of the audit log. */
function ruleText({ tags, within, clock, forensics, ...conditions }: DuePolicy['rules'][number]): string {
  const stated = Object.entries(conditions).map(([name, value]) => `${name}=${value}`);
  const limit = within === 'next_upgrade' ? within : `${within} days after ${clock}`;
  return [
    ...(tags === undefined ? [] : [`tags=${tags.join(',')}`]),
    ...stated,
    limit,
    ...(forensics ? ['forensics'] : []),
  ].join(' ');
}

function exposureText({ tag, exposure }: ExposureRule): string {
  return `${tag}: ${exposure}`;
}
