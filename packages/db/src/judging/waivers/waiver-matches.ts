import { assessedPackage, concernedBy, HostWaivers, waivedIn } from '@plimsoll/advisories';
import { type HostScope, type PackageVersionId, tagsOfScope, type WaiverId } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import { inScopeBySql } from '../../fleet/hosts/host-scope.ts';
import { loadPackageVersions } from '../../knowledge/package-versions.ts';
import { loadMatchedStatements } from '../../knowledge/statements.ts';
import { readFindingList } from '../counting/finding-list.ts';
import { appliesTo, type ScopedWaiver } from '../counting/host-terms.ts';
import { namedOf } from '../counting/waived-summaries.ts';

/** How much a waiver covers now: findings of which it covers an advisory, and the hosts with any. */
export interface WaiverMatches {
  readonly findings: number;
  readonly hosts: number;
}

/** Versions read together, and finding lists. */
const versionsPerRead = 500;
const listsPerRead = 1_000;

/** Which findings to count for a waiver. Absent: those of which it covers an advisory. */
export interface MatchOptions {
  /** Counts only what has a fix, also of snoozed waivers, which do not cover it. */
  readonly withFixOnly?: boolean;
  /** Counts also findings with an open CVE that it waives, of which it takes further waivers to cover an advisory. */
  readonly partly?: boolean;
}

/** What each waiver covers by itself on the hosts of a scope, by the finding lists of their last counts. */
export async function countMatches(
  client: Statements,
  scope: HostScope,
  waivers: readonly ScopedWaiver[],
  options: MatchOptions = {},
): Promise<ReadonlyMap<WaiverId, WaiverMatches>> {
  const matches = new Map(waivers.map(({ id }) => [id, { findings: 0, hosts: 0 }]));
  const covered = await coveredVersions(client, waivers, options);
  if (covered.size === 0) return matches;
  const { rows: hosts } = await client.query<{ id: string; tags: readonly string[]; list: number }>(
    `SELECT h.id, h.tags, hs.finding_list_id AS list FROM hosts h JOIN host_state hs ON hs.host_id = h.id
     WHERE hs.finding_list_id IS NOT NULL AND h.approval_status = 'approved' AND ${inScopeBySql('h.tags', '$1')} AND ($2 OR h.id = ANY($3::uuid[]) OR h.tags && $4::text[])`,
    [
      tagsOfScope(scope),
      waivers.some(({ allHosts }) => allHosts),
      waivers.flatMap(({ hostIds }) => hostIds),
      waivers.flatMap(({ tags }) => tags),
    ],
  );
  const lists = await matchedLists(client, [...new Set(hosts.map(({ list }) => list))], covered);
  for (const { id, tags, list } of hosts) {
    const found = lists.get(list);
    if (found === undefined) continue;
    for (const waiver of waivers) {
      const findings = found.get(waiver.id) ?? 0;
      const sum = matches.get(waiver.id);
      if (findings === 0 || sum === undefined) continue;
      if (!appliesTo(waiver, id, tags)) continue;
      sum.findings += findings;
      sum.hosts += 1;
    }
  }
  return matches;
}

/** The waivers that cover a visible statement about a version, or are about one. */
async function coveredVersions(
  client: Statements,
  waivers: readonly ScopedWaiver[],
  { withFixOnly = false, partly = false }: MatchOptions,
): Promise<ReadonlyMap<PackageVersionId, readonly WaiverId[]>> {
  const named = await namedOf(client, null, waivers);
  const covered = new Map<PackageVersionId, WaiverId[]>();
  const ids = [...named.keys()];
  // Without its kind a snoozed waiver covers what has a fix, too.
  const alone = waivers.map(
    (waiver) =>
      [waiver, new HostWaivers([withFixOnly ? { ...waiver, kind: 'risk_accepted' } : waiver])] as const,
  );
  for (let first = 0; first < ids.length; first += versionsPerRead) {
    const part = ids.slice(first, first + versionsPerRead);
    const [versions, statements] = await Promise.all([
      loadPackageVersions(client, part),
      loadMatchedStatements(client, part),
    ]);
    for (const version of versions) {
      const subject = assessedPackage(version, statements.get(version.id) ?? []);
      const own = named.get(version.id);
      for (const [{ id }, applied] of alone) {
        if (own === undefined || !applied.names(own)) continue;
        const waived = partly
          ? concernedBy(subject, applied)
          : [...waivedIn(subject, applied).keys()].filter(({ fix }) => !withFixOnly || fix.kind === 'fixed');
        if (waived.length === 0) continue;
        covered.set(version.id, [...(covered.get(version.id) ?? []), id]);
      }
    }
  }
  return covered;
}

/** The number of covered versions in finding lists, by list and waiver. */
async function matchedLists(
  client: Statements,
  ids: readonly number[],
  covered: ReadonlyMap<PackageVersionId, readonly WaiverId[]>,
): Promise<ReadonlyMap<number, ReadonlyMap<WaiverId, number>>> {
  const lists = new Map<number, Map<WaiverId, number>>();
  for (let first = 0; first < ids.length; first += listsPerRead) {
    const { rows } = await client.query<{ id: number; entries: Uint8Array }>(
      'SELECT id, entries FROM finding_lists WHERE id = ANY($1::int[])',
      [ids.slice(first, first + listsPerRead)],
    );
    for (const { id, entries } of rows) {
      const found = new Map<WaiverId, number>();
      readFindingList(entries, {
        version(version) {
          for (const waiver of covered.get(version) ?? []) found.set(waiver, (found.get(waiver) ?? 0) + 1);
        },
        exception: () => undefined,
      });
      if (found.size > 0) lists.set(id, found);
    }
  }
  return lists;
}
