import type { ApprovalStatus, HostId, HostScope } from '@plimsoll/model';
import { likeLiteral } from '../connection/conditions.ts';
import type { Database } from '../database.ts';
import type { HostColumns } from '../hosts/host-columns.ts';
import { createHostMemory, type HostMemory } from '../hosts/host-memory.ts';
import { BestMatches, type MatchKind, matchOf } from './rank-match.ts';

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
export function createSearchStore(
  database: Database,
  memory: HostMemory = createHostMemory(database),
): SearchStore {
  return {
    async find(scope, text, limit) {
      const wanted = text.trim().toLowerCase();
      const [machines, cves, advisories] = await Promise.all([
        hostsOfMachine(database, wanted),
        findCves(database, wanted, limit),
        findAdvisories(database, wanted, limit),
      ]);
      return { ...findHosts(await memory.current(), { scope, wanted, limit, machines }), cves, advisories };
    },
  };
}

/** A machine id (machine-id(5)) or a UUID of a machine: hexadecimal digits, with or without hyphens. */
const machineIdForm = /^[0-9a-f-]{16,64}$/;

async function hostsOfMachine({ pool }: Database, wanted: string): Promise<ReadonlySet<string>> {
  if (!machineIdForm.test(wanted)) return new Set();
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM hosts WHERE machine_key(machine_id) = machine_key($1) AND machine_id <> '' LIMIT 100`,
    [wanted],
  );
  return new Set(rows.map(({ id }) => id));
}

function findHosts(
  columns: HostColumns,
  asked: {
    readonly scope: HostScope;
    readonly wanted: string;
    readonly limit: number;
    readonly machines: ReadonlySet<string>;
  },
): Pick<Found, 'hosts' | 'hostsTotal'> {
  const { scope, wanted, limit, machines } = asked;
  const isSeen = columns.seenIn(scope);
  const { isPresent } = columns.flags;
  const nameOf = (position: number) => columns.displayNames[position] ?? '';
  const best = new BestMatches<number>(limit, (a, b) =>
    nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a - b,
  );
  const own = columns.find(wanted);
  const exact = new Set([own ?? -1, ...[...machines].map((id) => columns.find(id) ?? -1)]);
  for (let position = 0; position < columns.size; position += 1) {
    if (isPresent[position] !== 1 || !isSeen(position)) continue;
    const searched = columns.searched[position] ?? '';
    if (exact.has(position)) best.offer('exact', position);
    else if (searched.includes(wanted)) best.offer(matchOf(searched.split('\0'), wanted) ?? 'part', position);
  }
  return {
    hostsTotal: best.total,
    hosts: best.best().map(({ match, entry }) => ({
      match,
      id: columns.ids[entry] as HostId, // A position of a host.
      displayName: nameOf(entry),
      hostname: columns.hostnames[entry] ?? '',
      address: columns.addresses[entry] ?? null,
      approvalStatus: columns.wordOf('approvalStatus', entry) as ApprovalStatus, // The column's words.
    })),
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
