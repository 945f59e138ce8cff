import { hash } from 'node:crypto';
import { type DueFacts, feedsOf, isVisible } from '@plimsoll/advisories';
import {
  type AdvisoryKey,
  fixStates,
  type PackageVersionId,
  type Statement,
  severities,
} from '@plimsoll/model';
import type pg from 'pg';
import { readVersionChanges } from '../../knowledge/package-versions.ts';
import { loadMatchedStatements } from '../../knowledge/statements.ts';
import { loadDueFacts } from './due-facts.ts';
import { Places } from './places.ts';

/** A visible statement that affects a package version, as numbers for millions of look-ups. */
export interface KnownStatement {
  readonly advisory: AdvisoryKey;
  /** The place of its advisory's id. */
  readonly group: number;
  /** The groups of errata that are folded into it: they have the hosts that it affects. */
  readonly folded: readonly number[];
  /** Places of its CVEs. */
  readonly cves: readonly number[];
  /** The place in `severities`. */
  readonly severity: number;
  readonly knownExploited: boolean;
  /** The place in `fixStates` of the reason that it has no fix; -1: it has a fix. */
  readonly reason: number;
  /** Its place among all statements, and that of its first CVE among their CVEs, one after the other. */
  readonly number: number;
  readonly firstCve: number;
  /** Null: no policy of due dates is set. */
  readonly due: DueFacts | null;
  /** Since when a version is known to be affected, in milliseconds since 1970. */
  readonly knownAt: number;
  /** The highest EPSS of its CVEs, as of `cveRevision`; -1 if EPSS has none of them. */
  epss: number;
  epssAsOf: number;
}

/** A package version with the visible statements that affect it. */
export interface KnownVersion {
  /** The place of its source package's name. */
  readonly source: number;
  readonly statements: readonly KnownStatement[];
}

/** What grouping findings needs to know of versions. */
export type KnownFindings = Pick<
  FindingKnowledge,
  'get' | 'epssOf' | 'groups' | 'cves' | 'sources' | 'groupData' | 'cveFacts'
>;

/** What is known of all advisories with one id. */
interface Group {
  title: string;
  /** Places of the CVEs of its own statements. */
  readonly cves: Set<number>;
}

interface CveFacts {
  readonly epss: number | null;
  readonly knownExploited: boolean;
}

const versionsPerLoad = 1_000;
const keysPerLoad = 5_000;
/** Interned statements from which on everything is forgotten, because most can be of versions that no host has. */
const mostStatements = 4_000_000;
const noFacts: CveFacts = { epss: null, knownExploited: false };

/**
 * The statements that affect the package versions of finding lists. Keeps them between calls, and follows the changes
 * that the database notes.
 */
export class FindingKnowledge {
  readonly groups = new Places();
  readonly cves = new Places();
  readonly sources = new Places();
  /** By group. */
  readonly groupData: Group[] = [];
  /** By place of a CVE. */
  readonly cveFacts: CveFacts[] = [];
  /** Changes whenever anything that it knows changed. */
  revision = 0;
  /** Changes when everything was forgotten: statements get new numbers. */
  generation = 0;
  private readonly versions = new Map<PackageVersionId, KnownVersion>();
  private readonly statements = new Map<string, KnownStatement>();
  /** By id of a statement. */
  private readonly foldedInto = new Map<number, number[]>();
  private readonly errata = new Set<AdvisoryKey>();
  private readonly missing = new Set<PackageVersionId>();
  private cveRevision = 0;
  private seen: string | null = null;
  private cveStamp = '';
  private readonly newCves: string[] = [];
  private isDated = false;
  private cvesOfStatements = 0;

  /** The version; undefined: it is not loaded, or no longer stored. */
  get(id: PackageVersionId): KnownVersion | undefined {
    return this.versions.get(id);
  }

  /** The highest EPSS of a statement's CVEs; -1 if EPSS has none of them. */
  epssOf(statement: KnownStatement): number {
    if (statement.epssAsOf !== this.cveRevision) {
      statement.epss = this.highestEpss(statement.cves);
      statement.epssAsOf = this.cveRevision;
    }
    return statement.epss;
  }

  private highestEpss(cves: Iterable<number>): number {
    let highest = -1;
    for (const cve of cves) highest = Math.max(highest, this.cveFacts[cve]?.epss ?? -1);
    return highest;
  }

  /** Notes that a version is needed. */
  want(id: PackageVersionId): void {
    if (!this.versions.has(id)) this.missing.add(id);
  }

  /**
   * Forgets what changed. False: it may have forgotten everything, and all needed versions must be noted again.
   * @param isDated whether statements are to have what due dates depend on.
   */
  async follow(client: pg.PoolClient, isDated: boolean): Promise<boolean> {
    const { newest, versions } = await readVersionChanges(client, this.seen);
    const wasSeen = this.seen;
    this.seen = newest;
    const isOther = isDated !== this.isDated;
    this.isDated = isDated;
    const isTooMuch = this.statements.size > mostStatements;
    if (isOther || (versions === null ? wasSeen !== null || newest !== null : isTooMuch)) {
      this.clear();
      return false;
    }
    for (const id of versions ?? []) if (this.versions.delete(id)) this.missing.add(id);
    return true;
  }

  private clear(): void {
    for (const places of [this.groups, this.cves, this.sources]) places.clear();
    for (const known of [this.versions, this.statements, this.foldedInto, this.errata, this.missing])
      known.clear();
    for (const facts of [this.groupData, this.cveFacts, this.newCves]) facts.length = 0;
    this.cveStamp = '';
    this.cvesOfStatements = 0;
    this.revision += 1;
    this.generation += 1;
  }

  /** Loads the needed versions, and what changed of the CVEs. */
  async load(client: pg.PoolClient): Promise<void> {
    const missing = [...this.missing];
    for (let first = 0; first < missing.length; first += versionsPerLoad) {
      const some = missing.slice(first, first + versionsPerLoad);
      await this.loadVersions(client, some);
      // If loading fails, the next call repeats it.
      for (const id of some) this.missing.delete(id);
    }
    await this.loadCves(client);
  }

  private async loadVersions(client: pg.PoolClient, ids: readonly PackageVersionId[]): Promise<void> {
    this.revision += 1;
    const { rows } = await client.query<{ id: PackageVersionId; source: string }>(
      `SELECT id, CASE WHEN source_name = '' THEN name ELSE source_name END AS source
       FROM package_versions WHERE id = ANY($1::int[])`,
      [ids],
    );
    const matched = await loadMatchedStatements(client, ids);
    const dues = this.isDated ? await loadDueFacts(client, matched) : null;
    const added = { errata: new Set<AdvisoryKey>(), statements: new Map<number, AdvisoryKey>() };
    // Versions of one source share their statements.
    const known = new Map<Statement, KnownStatement>();
    for (const { id, source } of rows) {
      const statements = (matched.get(id) ?? []).filter(isVisible).map((statement) => {
        const same = known.get(statement) ?? this.keep(statement, dues?.get(statement) ?? null, added);
        known.set(statement, same);
        return same;
      });
      this.versions.set(id, { source: this.sources.of(source), statements });
    }
    await this.loadTitles(client, [...new Set([...known.keys()].map(({ advisory }) => advisory))]);
    await this.loadFolded(client, added);
  }

  private keep(
    statement: Statement,
    due: DueFacts | null,
    added: { readonly errata: Set<AdvisoryKey>; readonly statements: Map<number, AdvisoryKey> },
  ): KnownStatement {
    const { statementId, advisory, externalId, kind, cves, severity, knownExploited, fix, firstSeenAt } =
      statement;
    const reason = fix.kind === 'fixed' ? -1 : fixStates.indexOf(fix.reason);
    const knownAt = firstSeenAt.getTime();
    const places = cves.map((cve) => this.cveOf(cve));
    const facts = [statementId, advisory, severity, Number(knownExploited), reason, knownAt, ...places];
    const key = [...facts, ...(due === null ? [] : [hash('sha256', JSON.stringify(due), 'base64')])].join(
      ' ',
    );
    const same = this.statements.get(key);
    if (same !== undefined) return same;
    const group = this.groups.of(externalId);
    const data = this.groupData[group] ?? { title: '', cves: new Set<number>() };
    this.groupData[group] = data;
    for (const cve of places) data.cves.add(cve);
    const folded = this.foldedInto.get(statementId) ?? [];
    this.foldedInto.set(statementId, folded);
    if (kind === 'vulnerability') added.statements.set(statementId, advisory);
    else if (!this.errata.has(advisory)) added.errata.add(advisory);
    if (kind === 'erratum') this.errata.add(advisory);
    const place = severities.indexOf(severity);
    const [number, firstCve] = [this.statements.size, this.cvesOfStatements];
    this.cvesOfStatements += places.length;
    const own = { advisory, group, folded, cves: places, severity: place, knownExploited, reason, knownAt };
    const kept = { ...own, number, firstCve, due, epss: -1, epssAsOf: -1 };
    this.statements.set(key, kept);
    return kept;
  }

  private cveOf(cve: string): number {
    const known = this.cves.find(cve);
    if (known !== null) return known;
    this.newCves.push(cve);
    return this.cves.of(cve);
  }

  private async loadTitles(client: pg.PoolClient, keys: readonly AdvisoryKey[]): Promise<void> {
    const { rows } = await client.query<{ id: string; title: string }>(
      'SELECT external_id AS id, left(title, 300) AS title FROM advisories WHERE id = ANY($1::int[]) ORDER BY id',
      [keys],
    );
    for (const { id, title } of rows) {
      const data = this.groupData[this.groups.of(id)];
      if (data !== undefined && title !== '') data.title = title;
    }
  }

  /** Links vulnerability records and errata of which one is new: see `groupsOf` of the fleet's reach. */
  private async loadFolded(
    client: pg.PoolClient,
    {
      errata,
      statements,
    }: { readonly errata: ReadonlySet<AdvisoryKey>; readonly statements: ReadonlyMap<number, AdvisoryKey> },
  ): Promise<void> {
    if (this.errata.size === 0 || errata.size + statements.size === 0) return;
    const { rows } = await client.query<{ id: number; erratum: string }>(
      `SELECT DISTINCT vp.id, e.external_id AS erratum
       FROM advisories e JOIN advisory_packages ep ON ep.advisory_id = e.id CROSS JOIN unnest(coalesce(ep.cves, e.cves)) AS c (cve)
       CROSS JOIN LATERAL (SELECT id FROM advisories v WHERE v.cves @> ARRAY[c.cve] AND v.kind = 'vulnerability' OFFSET 0) v
       JOIN advisory_packages vp ON vp.advisory_id = v.id AND vp.release_id = ep.release_id AND vp.name = ep.name
       WHERE e.kind = 'erratum' AND e.withdrawn_at IS NULL AND (e.id = ANY($1::int[]) OR e.id = ANY($2::int[]) AND e.cves && (
         SELECT array_agg(DISTINCT c.cve) FROM advisories a CROSS JOIN unnest(a.cves) AS c (cve) WHERE a.id = ANY($3::int[])))`,
      [[...errata], [...this.errata], [...new Set(statements.values())]],
    );
    for (const { id, erratum } of rows) {
      const group = this.groups.of(erratum);
      this.groupData[group] ??= { title: '', cves: new Set() };
      const folded = this.foldedInto.get(id) ?? [];
      this.foldedInto.set(id, folded);
      if (!folded.includes(group)) folded.push(group);
    }
  }

  private async loadCves(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<{ stamp: string | null }>(
      `SELECT string_agg(concat_ws(' ', id, updated_at, last_sync_at), ',' ORDER BY id) AS stamp
       FROM feeds WHERE id = ANY($1::text[])`,
      [feedsOf('cves').map(({ id }) => id)],
    );
    const stamp = rows[0]?.stamp ?? '';
    const wanted = stamp === this.cveStamp ? [...this.newCves] : [...this.cves.all()];
    if (wanted.length > 0) {
      this.revision += 1;
      this.cveRevision += 1;
    }
    for (let first = 0; first < wanted.length; first += keysPerLoad) {
      const some = wanted.slice(first, first + keysPerLoad);
      const found = await client.query<CveFacts & { readonly id: string }>(
        `SELECT id, epss, exploited_since IS NOT NULL AS "knownExploited" FROM cves WHERE id = ANY($1::text[])`,
        [some],
      );
      for (const cve of some) this.cveFacts[this.cves.of(cve)] = noFacts;
      for (const { id, ...facts } of found.rows) this.cveFacts[this.cves.of(id)] = facts;
    }
    this.cveStamp = stamp;
    this.newCves.length = 0;
  }
}
