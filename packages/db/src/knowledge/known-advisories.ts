import type { AdvisoryKey, CvssScore, Workaround } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../core/transaction.ts';
import { everIn, holdsAt, spanOf, type TimeSpan, type When } from './as-known-at.ts';

/** The fields of an advisory besides its statements. */
export interface AdvisoryDetails {
  readonly key: AdvisoryKey;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: Date | null;
  /** Sorted. */
  readonly aliases: readonly string[];
  readonly cvss: CvssScore | null;
  /** As they are now; none of an advisory that is gone. */
  readonly workarounds: readonly Workaround[];
}

/** The details of an advisory, and when they were so. */
interface TimedDetails extends TimeSpan {
  readonly details: AdvisoryDetails;
}

/** What is kept: an advisory, and each of its contents beside the texts. Estimated, so that the sum is that measured with Node 20. */
const mostBytes = 8 * 2 ** 20;
const bytesOf = { advisory: 200, content: 1_050, alias: 40 } as const;

/** Reads advisories, and keeps them: hosts of a release ask for the same ones. Use it as long as what is known does not change. */
export class KnownAdvisories {
  readonly #reads: Statements;
  readonly #kept: LRUCache<AdvisoryKey, readonly TimedDetails[]>;

  /** @param maxSize how many bytes it keeps. */
  constructor(reads: Statements, maxSize = mostBytes) {
    this.#reads = reads;
    this.#kept = new LRUCache({ maxSize, sizeCalculation });
  }

  /** Advisories by key, as they were known at a time; null: as they are. One that was not known then has no entry. */
  async describe(
    keys: readonly AdvisoryKey[],
    knownAt: Date | null,
  ): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>> {
    // Storing what is missing can drop what was found.
    const found = new Map<AdvisoryKey, readonly TimedDetails[]>();
    const missing: AdvisoryKey[] = [];
    for (const key of keys) {
      const contents = this.#kept.get(key);
      if (contents === undefined) missing.push(key);
      else found.set(key, contents);
    }
    const loaded = missing.length === 0 ? noDetails : await loadDetails(this.#reads, missing, 'past');
    for (const [key, contents] of loaded) {
      found.set(key, contents);
      this.#kept.set(key, contents);
    }
    return new Map(
      [...found].flatMap(([key, contents]) => {
        const then = contents.find((each) => holdsAt(each, knownAt));
        return then === undefined ? [] : [[key, then.details] as const];
      }),
    );
  }
}

/** Advisories by key, as they are known now. */
export async function describeAdvisories(
  client: Statements,
  keys: readonly AdvisoryKey[],
): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>> {
  const loaded = await loadDetails(client, keys, 'now');
  return new Map(
    [...loaded].flatMap(([key, contents]) => contents.map(({ details }) => [key, details] as const)),
  );
}

const noDetails: ReadonlyMap<AdvisoryKey, readonly TimedDetails[]> = new Map();

const content = 'id, title, url, published_at, aliases, cvss_score, cvss_vector, since';

async function loadDetails(
  client: Statements,
  keys: readonly AdvisoryKey[],
  when: When,
): Promise<ReadonlyMap<AdvisoryKey, readonly TimedDetails[]>> {
  const { rows } = await client.query<
    Omit<AdvisoryDetails, 'cvss'> & {
      readonly cvssScore: number | null;
      readonly cvssVector: string | null;
      readonly since: Date;
      readonly until: Date | null;
    }
  >(
    `SELECT id AS key, title, url, published_at AS "publishedAt", aliases, cvss_score AS "cvssScore", cvss_vector AS "cvssVector",
            since, until, coalesce((SELECT w.workarounds FROM advisories w WHERE w.id = a.id), '[]') AS workarounds
     FROM (${everIn('advisories', content, 'id = ANY($1::int[])', when)}) a`,
    [keys],
  );
  const found = new Map<AdvisoryKey, TimedDetails[]>();
  for (const row of rows) {
    const { since, until, cvssScore: score, cvssVector: vector, ...fields } = row;
    const details = { ...fields, cvss: score === null || vector === null ? null : { score, vector } };
    const contents = found.get(row.key) ?? [];
    contents.push({ details, ...spanOf({ since, until }) });
    found.set(row.key, contents);
  }
  return found;
}

function sizeCalculation(contents: readonly TimedDetails[]): number {
  return contents.reduce<number>(
    (sum, { details: { title, url, aliases, workarounds } }) =>
      sum +
      bytesOf.content +
      title.length +
      url.length +
      bytesOf.alias * aliases.length +
      workarounds.reduce((bytes, { text }) => bytes + text.length, 0),
    bytesOf.advisory,
  );
}
