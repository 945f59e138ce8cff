import {
  AppError,
  type AuditAction,
  type AuditDetails,
  groupBy,
  type HostExposure,
  type HostScope,
  isInScope,
} from '@plimsoll/model';
import { beforeTagsChange, recountTerms } from '../../core/change-terms.ts';
import { isUuid } from '../../core/database.ts';
import { statementsIn, type Transaction } from '../../core/transaction.ts';
import { Prisma } from '../../generated/client.ts';
import { type AuditActor, recordAuditEvents } from '../../people/audit-events.ts';
import { requireInScope } from '../hosts/host-scope.ts';
import { type HostDeed, type LockedHost, lockHosts, retired } from '../hosts/locked-hosts.ts';
import { tagsByRule } from '../hosts/update-host.ts';
import { requestPulls } from '../ssh/pull-job-store.ts';
import { nextAfterChange, nextSoon } from '../ssh/pull-schedule.ts';
import { reinstateHosts, retireHosts } from './retire-hosts.ts';

/** The most tags of one host. */
export const mostTags = 50;

/** What a user does to hosts, one or many. */
export type HostAction =
  | {
      readonly kind:
        | 'approve'
        | 'pause_pulls'
        | 'resume_pulls'
        | 'pull_now'
        | 'retire'
        | 'reinstate'
        | 'delete';
    }
  | { readonly kind: 'add_tags' | 'remove_tags'; readonly tags: readonly string[] }
  /** Null: not set by hand. */
  | { readonly kind: 'set_exposure'; readonly exposure: HostExposure | null };

/** What became of one host. */
export type HostActionResult =
  | {
      readonly kind: 'done';
      readonly hostId: string;
      readonly name: string;
      readonly pullJobId: string | null;
    }
  /** The host was as wanted before. */
  | { readonly kind: 'unchanged'; readonly hostId: string; readonly name: string }
  | {
      readonly kind: 'refused';
      readonly hostId: string;
      readonly name: string | null;
      readonly error: AppError;
    };

/**
 * Does an action to hosts, in the caller's transaction: to all that it applies to, with one audit event each. A host that
 * does not exist, or is not in the scope, is refused as `not_found`. Results in the order of the ids; repeated ids count
 * once.
 */
export async function actOnHosts(
  tx: Transaction,
  scope: HostScope,
  {
    ids,
    action,
    by,
  }: { readonly ids: readonly string[]; readonly action: HostAction; readonly by: AuditActor },
): Promise<readonly HostActionResult[]> {
  const wanted = [...new Set(ids)];
  const isCounted = changesTerms(action) && (await beforeTagsChange(statementsIn(tx)));
  // Tags that rules give approved hosts have them counted again by themselves.
  const isRecounted = isCounted && action.kind !== 'approve';
  const known = await lockHosts(tx, wanted.filter(isUuid), isExclusive(action));
  const hosts = new Map(known.filter(({ tags }) => isInScope(scope, tags)).map((host) => [host.id, host]));
  const judged = wanted.map((id) => judge(hosts.get(id), id, action, scope));
  const concerned = judged.flatMap((result) => (result.kind === 'apply' ? [result.host] : []));
  const deeds = concerned.length === 0 ? [] : await apply(tx, concerned, action);
  if (isRecounted) {
    await recountTerms(statementsIn(tx), 'SELECT unnest($1::uuid[])', [concerned.map(({ id }) => id)]);
  }
  await recordAuditEvents(
    tx,
    deeds.map(({ host, details }) => ({
      action: auditActionOf[action.kind],
      actor: by,
      target: { kind: 'host', id: host.id, name: host.name },
      details,
    })),
  );
  const done = new Map(deeds.map((deed) => [deed.host.id, deed]));
  return judged.map((result) => {
    if (result.kind !== 'apply') return result;
    const { id: hostId, name } = result.host;
    return { kind: 'done', hostId, name, pullJobId: done.get(hostId)?.pullJobId ?? null };
  });
}

const auditActionOf: Readonly<Record<HostAction['kind'], AuditAction>> = {
  approve: 'host.approved',
  add_tags: 'host.updated',
  remove_tags: 'host.updated',
  set_exposure: 'host.updated',
  pause_pulls: 'host.updated',
  resume_pulls: 'host.updated',
  pull_now: 'pull.requested',
  retire: 'host.retired',
  reinstate: 'host.reinstated',
  delete: 'host.deleted',
};

/** Whether the terms of hosts can depend on what the action changes; rules give approved hosts tags by name. */
function changesTerms({ kind }: HostAction): boolean {
  return kind === 'add_tags' || kind === 'remove_tags' || kind === 'set_exposure' || kind === 'approve';
}

/** Whether uploads that arrive at the same time come before or after the action, never beside it. */
function isExclusive({ kind }: HostAction): boolean {
  return kind === 'retire' || kind === 'reinstate' || kind === 'delete';
}

type Judged =
  | Exclude<HostActionResult, { readonly kind: 'done' }>
  | { readonly kind: 'apply'; readonly host: LockedHost };

function judge(host: LockedHost | undefined, id: string, action: HostAction, scope: HostScope): Judged {
  if (host === undefined)
    return {
      kind: 'refused',
      hostId: id,
      name: null,
      error: new AppError('not_found', 'No host has this id.'),
    };
  const unchanged = { kind: 'unchanged', hostId: id, name: host.name } as const;
  const refused = (error: AppError): Judged => ({ kind: 'refused', hostId: id, name: host.name, error });
  const isRetired = host.approvalStatus === 'retired';
  if (isRetired && needsService(action)) return refused(retired());
  switch (action.kind) {
    case 'approve':
      return host.approvalStatus === 'approved' && !host.sharesAllowance
        ? unchanged
        : { kind: 'apply', host };
    case 'add_tags':
    case 'remove_tags':
      return judgeTags(host, action, scope, { unchanged, refused });
    case 'set_exposure':
      return host.setExposure === action.exposure ? unchanged : { kind: 'apply', host };
    case 'pause_pulls':
    case 'resume_pulls':
    case 'pull_now': {
      if (host.isPaused === null) return refused(notPulled());
      if (action.kind !== 'pull_now')
        return host.isPaused === (action.kind === 'pause_pulls') ? unchanged : { kind: 'apply', host };
      return host.approvalStatus === 'approved' ? { kind: 'apply', host } : refused(notApproved());
    }
    case 'retire':
      return isRetired ? unchanged : { kind: 'apply', host };
    case 'reinstate':
      return isRetired ? { kind: 'apply', host } : unchanged;
    case 'delete':
      return { kind: 'apply', host };
    default:
      return action satisfies never;
  }
}

function needsService({ kind }: HostAction): boolean {
  return kind === 'approve' || kind === 'pause_pulls' || kind === 'resume_pulls' || kind === 'pull_now';
}

function judgeTags(
  host: LockedHost,
  action: Extract<HostAction, { readonly tags: readonly string[] }>,
  scope: HostScope,
  { unchanged, refused }: { readonly unchanged: Judged; readonly refused: (error: AppError) => Judged },
): Judged {
  const next = nextTags(host, action);
  const ruled = tagsByRule(host);
  if (action.kind === 'remove_tags') {
    const kept = action.tags.filter((tag) => ruled.includes(tag));
    if (kept.length > 0)
      return refused(
        new AppError('validation_failed', `A rule gives this tag: ${kept.join(', ')}. Change the rule.`),
      );
  }
  if (next.length === host.setTags.length) return unchanged;
  if (next.length > mostTags)
    return refused(new AppError('validation_failed', `The host would have more than ${mostTags} tags.`));
  try {
    requireInScope(scope, [...next, ...ruled]);
  } catch (error) {
    if (error instanceof AppError) return refused(error);
    throw error;
  }
  return { kind: 'apply', host };
}

/** The tags that are set by hand afterwards. */
function nextTags(
  { setTags: tags }: LockedHost,
  action: Extract<HostAction, { readonly tags: readonly string[] }>,
): readonly string[] {
  return action.kind === 'add_tags'
    ? [...new Set([...tags, ...action.tags])]
    : tags.filter((tag) => !action.tags.includes(tag));
}

async function apply(
  tx: Transaction,
  hosts: readonly LockedHost[],
  action: HostAction,
): Promise<readonly HostDeed[]> {
  const ids = hosts.map(({ id }) => id);
  const deeds = (detailsOf: (host: LockedHost) => AuditDetails) =>
    hosts.map((host) => ({ host, details: detailsOf(host) }));
  switch (action.kind) {
    case 'approve':
      await tx.host.updateMany({
        where: { id: { in: ids } },
        data: { approvalStatus: 'approved', sharesAllowanceUntil: null },
      });
      return deeds(() => ({}));
    case 'add_tags':
    case 'remove_tags':
      return changeTags(tx, hosts, action);
    case 'set_exposure':
      await tx.host.updateMany({ where: { id: { in: ids } }, data: { setExposure: action.exposure } });
      return deeds(({ setExposure }) => ({ exposure: { from: setExposure, to: action.exposure } }));
    case 'pause_pulls':
    case 'resume_pulls': {
      const isPaused = action.kind === 'pause_pulls';
      await setPaused(tx, ids, isPaused);
      return deeds(() => ({ pull_paused: { from: !isPaused, to: isPaused } }));
    }
    case 'pull_now': {
      const jobs = await requestPulls(tx, ids);
      return hosts.flatMap((host) => {
        const pullJobId = jobs.get(host.id)?.id;
        return pullJobId === undefined ? [] : [{ host, details: { pull_job_id: pullJobId }, pullJobId }];
      });
    }
    case 'retire':
      return retireHosts(tx, hosts);
    case 'reinstate':
      return reinstateHosts(tx, hosts);
    case 'delete':
      await tx.host.deleteMany({ where: { id: { in: ids } } });
      return deeds(({ hostname, onboardingMode }) => ({ hostname, onboarding_mode: onboardingMode }));
    default:
      return action satisfies never;
  }
}

/** One statement for each distinct list of tags that hosts get. */
async function changeTags(
  tx: Transaction,
  hosts: readonly LockedHost[],
  action: Extract<HostAction, { readonly tags: readonly string[] }>,
): Promise<readonly HostDeed[]> {
  const changes = hosts.map((host) => ({ host, tags: nextTags(host, action) }));
  const byTags = groupBy(changes, ({ tags }) => JSON.stringify(tags));
  for (const alike of byTags.values()) {
    const tags = [...(alike[0]?.tags ?? [])];
    await tx.host.updateMany({
      where: { id: { in: alike.map(({ host }) => host.id) } },
      data: { setTags: tags },
    });
  }
  return changes.map(({ host, tags }) => {
    const to = [...new Set([...tags, ...tagsByRule(host)])];
    return { host, details: { tags: { from: host.tags, to } } };
  });
}

async function setPaused(tx: Transaction, hostIds: readonly string[], isPaused: boolean): Promise<void> {
  const ids = [...hostIds];
  await tx.$executeRaw`SELECT FROM ssh_targets WHERE host_id = ANY(${ids}::uuid[]) ORDER BY host_id FOR UPDATE`;
  // A resumed host is due soon.
  const next = Prisma.raw(isPaused ? nextAfterChange : nextSoon);
  await tx.$executeRaw`UPDATE ssh_targets t SET pull_paused = ${isPaused}, next_pull_at = ${next}
    WHERE host_id = ANY(${ids}::uuid[])`;
}

function notPulled(): AppError {
  return new AppError(
    'not_an_ssh_host',
    'This host is not pulled over SSH. It uses another reporting method.',
  );
}

function notApproved(): AppError {
  return new AppError('not_approved', 'The host is not approved. Approve it before pulling it.');
}
