import type { HostUpgrade } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { loadPackageVersions, type StoredPackageVersion } from '../../knowledge/package-versions.ts';
import { loadOffers } from '../counting/host-facts.ts';
import { type BegunMatch, loadBegunCves, loadMatchContents } from './match-contents.ts';
import { Matches } from './matches.ts';
import { loadPastContents, type PastContent } from './past-contents.ts';

/** Rows that many hosts have in common, each read once. For one transaction that reads one state of the database. */
export class SharedRows {
  readonly client: pg.PoolClient;
  readonly versions = new Map<PackageVersionId, StoredPackageVersion>();
  readonly matches = new Matches([]);
  readonly offers = new Map<number, HostUpgrade>();
  /** By number of the statement; see loadPastContents. */
  readonly pastContents = new Map<number, readonly PastContent[]>();
  readonly #begunCves = new Map<string, readonly string[]>();
  readonly #matched = new Set<PackageVersionId>();

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** The number of rows in memory. */
  get size(): number {
    const { versions, matches, offers, pastContents } = this;
    return versions.size + matches.size + offers.size + pastContents.size + this.#begunCves.size;
  }

  /** Reads package versions into `versions`. */
  async readVersions(ids: Iterable<PackageVersionId>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.versions.has(id));
    for (const version of await loadPackageVersions(this.client, missing))
      this.versions.set(version.id, version);
  }

  /** Reads all matches of package versions into `matches`. */
  async readMatches(ids: Iterable<PackageVersionId>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#matched.has(id));
    if (missing.length === 0) return;
    this.matches.add(await loadMatchContents(this.client, missing));
    for (const id of missing) this.#matched.add(id);
  }

  /** Reads the past contents of statements into `pastContents`. */
  async readPastContents(statementIds: Iterable<number>): Promise<void> {
    const missing = [...new Set(statementIds)].filter((id) => !this.pastContents.has(id));
    if (missing.length === 0) return;
    const found = await loadPastContents(this.client, missing);
    for (const id of missing) this.pastContents.set(id, found.get(id) ?? []);
  }

  /** The CVEs that were open when matches began, by match; see loadBegunCves. */
  async begunCves<Match extends BegunMatch>(
    matches: readonly Match[],
  ): Promise<ReadonlyMap<Match, readonly string[]>> {
    const keyOf = ({ versionId, statementId, since }: BegunMatch) =>
      `${versionId} ${statementId} ${since.getTime()}`;
    const missing = matches.filter((match) => !this.#begunCves.has(keyOf(match)));
    if (missing.length > 0) {
      const found = await loadBegunCves(this.client, missing);
      for (const [index, match] of missing.entries()) this.#begunCves.set(keyOf(match), found[index] ?? []);
    }
    return new Map(matches.map((match) => [match, this.#begunCves.get(keyOf(match)) ?? []]));
  }

  /** Reads offers into `offers`. */
  async readOffers(ids: readonly number[]): Promise<void> {
    const missing = ids.filter((id) => !this.offers.has(id));
    if (missing.length === 0) return;
    for (const [id, offer] of await loadOffers(this.client, missing)) this.offers.set(id, offer);
  }
}
