import { type AppliedWaiver, type DuePolicy, HostWaivers } from '@plimsoll/advisories';
import type { HostId, WaiverId } from '@plimsoll/model';
import { waiverApplies } from '../../core/change-terms.ts';
import type { Statements } from '../../core/transaction.ts';
import { type DueTermsOfHosts, type LoadedDueTerms, loadDueTerms } from '../due/host-due-terms.ts';
import { digestOf } from './counted-input.ts';

/** What users decided about a host that its counts depend on. */
export interface HostTerms {
  /** Equal only for hosts with equal terms; empty if nothing was decided. */
  readonly digest: string;
  /** Undefined: none applies. */
  readonly waivers: HostWaivers | undefined;
  /** Undefined: no policy of due dates is set. */
  readonly due: LoadedDueTerms | undefined;
}

/** The terms of some hosts. */
export interface LoadedTerms {
  of(host: HostId): HostTerms;
  /** All waivers that apply to any host of the fleet. */
  readonly waivers: readonly AppliedWaiver[];
  /** The time of the database clock, in milliseconds since 1970; null: no policy of due dates is set. */
  readonly dueNow: number | null;
}

const noTerms: HostTerms = { digest: '', waivers: undefined, due: undefined };

/** What of a waiver never changes. */
interface WaiverContents extends Omit<AppliedWaiver, 'expiresAt'> {
  readonly hostIds: readonly string[];
  readonly tags: readonly string[];
  readonly allHosts: boolean;
}

/** A waiver, and the hosts to which it applies. */
export type ScopedWaiver = WaiverContents & AppliedWaiver;

const contentColumns =
  'w.id, w.kind, w.created_by AS "createdBy", w.advisories, w.packages, w.purls, w.host_ids AS "hostIds", w.tags, w.all_hosts AS "allHosts"';

/** Reads the terms of hosts to count. Keeps the contents of waivers between calls. */
export class HostTermsReader {
  private readonly contents = new Map<WaiverId, WaiverContents>();
  private readonly policy: DuePolicy | undefined;

  /** @param policy reads terms by this policy of due dates instead of the one in force */
  constructor(policy?: DuePolicy) {
    this.policy = policy;
  }

  /** The caller holds the lock of holdAdvisories or changeAdvisories. */
  async load(client: Statements, hosts: readonly HostId[]): Promise<LoadedTerms> {
    const waivers = await this.readWaivers(client);
    const due: DueTermsOfHosts | null = await loadDueTerms(client, hosts, this.policy);
    const dueNow = due?.now ?? null;
    if (waivers.length === 0 && due === null) return { of: () => noTerms, waivers, dueNow };
    const tags = await readTags(client, waivers, hosts);
    const known = new Map<string, HostTerms>();
    const of = (host: HostId): HostTerms => {
      const own = waivers.filter((waiver) => appliesTo(waiver, host, tags.get(host) ?? []));
      const dueTerms = due?.byHost.get(host);
      if (own.length === 0 && dueTerms === undefined) return noTerms;
      const digest = digestOf(`${own.map(({ id }) => id).join(' ')} ${dueTerms?.key ?? ''}`);
      const terms = known.get(digest) ?? {
        digest,
        waivers: own.length === 0 ? undefined : new HostWaivers(own),
        due: dueTerms,
      };
      known.set(digest, terms);
      return terms;
    };
    return { of, waivers, dueNow };
  }

  /** Those that apply to any host, in the order of their ids. */
  async readWaivers(client: Statements): Promise<readonly ScopedWaiver[]> {
    const { rows } = await client.query<{ id: WaiverId; expiresAt: Date }>(
      `SELECT w.id, w.expires_at AS "expiresAt" FROM waivers w WHERE ${waiverApplies} ORDER BY w.id`,
    );
    const applying = new Set(rows.map(({ id }) => id));
    for (const id of this.contents.keys()) if (!applying.has(id)) this.contents.delete(id);
    const missing = rows.flatMap(({ id }) => (this.contents.has(id) ? [] : [id]));
    if (missing.length > 0) {
      const found = await client.query<WaiverContents>(
        `SELECT ${contentColumns} FROM waivers w WHERE w.id = ANY($1::uuid[])`,
        [missing],
      );
      for (const row of found.rows) this.contents.set(row.id, row);
    }
    return rows.flatMap(({ id, expiresAt }) => {
      const contents = this.contents.get(id);
      return contents === undefined ? [] : [{ ...contents, expiresAt }];
    });
  }
}

/** The tags of hosts, if any of the waivers names a tag. */
async function readTags(
  client: Statements,
  waivers: readonly WaiverContents[],
  hosts: readonly HostId[],
): Promise<ReadonlyMap<HostId, readonly string[]>> {
  if (waivers.every(({ tags }) => tags.length === 0)) return new Map();
  const { rows } = await client.query<{ id: HostId; tags: readonly string[] }>(
    'SELECT id, tags FROM hosts WHERE id = ANY($1::uuid[])',
    [hosts],
  );
  return new Map(rows.map(({ id, tags }) => [id, tags]));
}

/** Whether a waiver applies to a host with some tags. */
export function appliesTo(
  { allHosts, hostIds, tags }: Pick<WaiverContents, 'allHosts' | 'hostIds' | 'tags'>,
  host: HostId | string,
  hostTags: readonly string[],
): boolean {
  return allHosts || hostIds.includes(host) || tags.some((tag) => hostTags.includes(tag));
}

/**
 * The waivers that apply to one host: now, or those that applied at a time. By its tags of today, because earlier ones
 * are not kept. Undefined: none.
 */
export async function loadHostWaivers(
  client: Statements,
  host: HostId,
  at: Date | null,
): Promise<HostWaivers | undefined> {
  const applied =
    at === null ? waiverApplies : 'w.created_at <= $2 AND coalesce(w.ended_at, w.expires_at) > $2';
  const { rows } = await client.query<AppliedWaiver>(
    `SELECT w.id, w.kind, w.created_by AS "createdBy", w.advisories, w.packages, w.purls, w.expires_at AS "expiresAt" FROM waivers w
     WHERE ${applied} AND (w.all_hosts OR w.host_ids @> ARRAY[$1::uuid] OR w.tags && (SELECT tags FROM hosts WHERE id = $1))`,
    at === null ? [host] : [host, at],
  );
  return rows.length === 0 ? undefined : new HostWaivers(rows);
}
