import type { ApprovalStatus, HostId, HostScope } from '@plimsoll/model';
import { likeLiteral } from '../core/conditions.ts';
import { type Database, isUuid } from '../core/database.ts';
import { hostSelection, searchedSql } from '../fleet/hosts/host-selection.ts';
import { judgeDue } from '../fleet/hosts/judge-due.ts';
import { type MatchKind, matchKinds, matchOf } from './rank-match.ts';

/** A host that a search finds. */
export interface FoundHost {
  readonly match: MatchKind;
  readonly id: HostId;
  readonly displayName: string;
  readonly hostname: string;
  readonly address: string | null;
  readonly approvalStatus: ApprovalStatus;
}

/** A CVE that a search finds. */
export interface FoundCve {
  readonly match: MatchKind;
  readonly id: string;
  /** Whether a feed has anything about it. */
  readonly isKnown: boolean;
}

/** An advisory that a search finds; records of several feeds under one id are one. */
export interface FoundAdvisory {
  readonly match: MatchKind;
  readonly id: string;
  readonly title: string;
}

/** What a search finds by names and ids, the best matches first. */
export interface Found {
  readonly hosts: readonly FoundHost[];
  /** The number of all hosts that match. */
  readonly hostsTotal: number;
  readonly cves: readonly FoundCve[];
  readonly advisories: readonly FoundAdvisory[];
}

/** Finds hosts, CVEs and advisories by parts of their names. */
export interface SearchStore {
  /**
   * Finds hosts of a scope by display name, hostname, address, id and whole machine id; CVEs by the beginning of their
   * id, also without "CVE-"; advisories by a part of their id. Ignores case. An id of a CVE is found although no feed
   * has it. @param limit of each kind
   */
  find(scope: HostScope, text: string, limit: number): Promise<Found>;
}

/** Shorter texts are part of nearly every id of an advisory. */
const shortestAdvisoryPart = 3;

/** The search of one database. */
export function createSearchStore(database: Database): SearchStore {
  return {
    async find(scope, text, limit) {
      const wanted = text.trim().toLowerCase();
      await judgeDue(database);
      const [hosts, cves, advisories] = await Promise.all([
        findHosts(database, { scope, wanted, limit }),
        findCves(database, wanted, limit),
        findAdvisories(database, wanted, limit),
      ]);
      return { ...hosts, cves, advisories };
    },
  };
}

/** A machine id (machine-id(5)) or a UUID of a machine: hexadecimal digits, with or without hyphens. */
const machineIdForm = /^[0-9a-f-]{16,64}$/;

/** Hosts by names, address and id; a better match first, then by display name. */
async function findHosts(
  { pool }: Database,
  { scope, wanted, limit }: { readonly scope: HostScope; readonly wanted: string; readonly limit: number },
): Promise<Pick<Found, 'hosts' | 'hostsTotal'>> {
  if (wanted.includes('\0')) return { hostsTotal: 0, hosts: [] };
  const { from, where, values } = hostSelection(scope, {});
  const parameter = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const text = parameter(wanted, 'text');
  const machine = machineIdForm.test(wanted)
    ? `OR h.machine_id <> '' AND machine_key(h.machine_id) = machine_key(${text})`
    : '';
  const isOwn = `(h.id = ${parameter(isUuid(wanted) ? wanted : null, 'uuid')} ${machine})`;
  const { rows } = await pool.query<
    Omit<FoundHost, 'match'> & { readonly total: number; readonly kind: number }
  >(
    `SELECT id, display_name AS "displayName", hostname, ip_address AS address, approval_status AS "approvalStatus",
       count(*) OVER ()::int AS total,
       CASE WHEN is_own OR strpos(E'\x1f' || searched || E'\x1f', E'\x1f' || ${text} || E'\x1f') > 0 THEN 0
         WHEN strpos(E'\x1f' || searched, E'\x1f' || ${text}) > 0 THEN 1 ELSE 2 END AS kind
     FROM (SELECT h.id, h.display_name, h.hostname, h.ip_address, h.approval_status, ${searchedSql} AS searched, coalesce(${isOwn}, false) AS is_own
       FROM ${from} WHERE ${where}) h
     WHERE is_own OR strpos(searched, ${text}) > 0 ORDER BY kind, display_name COLLATE "C", id LIMIT ${parameter(limit, 'int')}`,
    values,
  );
  return {
    hostsTotal: rows[0]?.total ?? 0,
    hosts: rows.map(({ total: _total, kind, ...host }) => ({ ...host, match: matchKinds[kind] ?? 'part' })),
  };
}

/** The beginning of a CVE's id; without "cve" it needs a whole year. */
const cveForm = /^(?:cve[- ]?)?(?:(?<year>\d{4})(?:[- ](?<number>\d{0,19}))?)?$/;

async function findCves({ pool }: Database, wanted: string, limit: number): Promise<readonly FoundCve[]> {
  const parts = cveForm.exec(wanted)?.groups;
  const year = parts?.['year'];
  if (year === undefined || (!wanted.startsWith('cve') && parts?.['number'] === undefined)) return [];
  const prefix = `CVE-${year}-${parts?.['number'] ?? ''}`;
  const isId = /-\d{4,}$/.test(prefix);
  const { rows } = await pool.query<{ id: string; isKnown: boolean }>(
    `WITH found AS (
       SELECT id FROM cves WHERE id LIKE $1 ORDER BY length(id), id LIMIT $2)
     SELECT id, true AS "isKnown" FROM found
     UNION
     SELECT $3, EXISTS (SELECT FROM advisories WHERE cves @> ARRAY[$3]) WHERE $4 AND NOT EXISTS (SELECT FROM found WHERE id = $3)`,
    [`${likeLiteral(prefix)}%`, limit, prefix, isId],
  );
  const found = rows.map(
    ({ id, isKnown }) => ({ match: id === prefix ? 'exact' : 'prefix', id, isKnown }) as const,
  );
  return found.sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

async function findAdvisories(
  { pool }: Database,
  wanted: string,
  limit: number,
): Promise<readonly FoundAdvisory[]> {
  if (wanted.length < shortestAdvisoryPart) return [];
  // The first part reads the index of the ids alone.
  const { rows } = await pool.query<{ id: string; title: string }>(
    `WITH found AS MATERIALIZED (
       SELECT external_id AS id, bool_or(lower(external_id) = $2) AS is_exact, bool_or(lower(external_id) LIKE $3) AS is_prefix
       FROM advisories WHERE external_id ILIKE $1 GROUP BY external_id
       ORDER BY 2 DESC, 3 DESC, length(external_id), external_id DESC LIMIT $4)
     SELECT f.id, (SELECT a.title FROM feeds CROSS JOIN LATERAL (
         SELECT title, published_at FROM advisories WHERE feed_id = feeds.id AND external_id = f.id) a
       ORDER BY a.published_at DESC NULLS LAST, a.title LIMIT 1) AS title
     FROM found f ORDER BY f.is_exact DESC, f.is_prefix DESC, length(f.id), f.id DESC`,
    [`%${likeLiteral(wanted)}%`, wanted, `${likeLiteral(wanted)}%`, limit],
  );
  return rows.map(({ id, title }) => ({ match: matchOf([id.toLowerCase()], wanted) ?? 'part', id, title }));
}
