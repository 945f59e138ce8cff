import { type HostUpgrade, isOffered, tallyUpdates, type UpdateTally } from '@plimsoll/advisories';
import { groupBy } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { plainMark } from '../../knowledge/version-memory.ts';
import { loadOffers } from './host-facts.ts';

/** The updates that a host is offered. Equal lists that follow each other are one object. */
export interface OfferList {
  /** Those for which isOffered is true. */
  readonly offered: readonly HostUpgrade[];
  readonly all: NamedOffers;
  readonly byName: ReadonlyMap<string, NamedOffers>;
  /** Marks of the names of those that the package manager marks as security; see VersionMemory.select. */
  readonly flagged: ReadonlySet<number>;
  /** All offers under names of which one can be of a kernel. */
  readonly ofKernel: NamedOffers;
  /** For hosts without holds. */
  readonly updates: UpdateTally;
}

/** The offers under some package names. */
export interface NamedOffers {
  readonly upgrades: readonly HostUpgrade[];
  /** Their ids; different offers have different texts. */
  readonly text: string;
  readonly isOfKernel: boolean;
}

/** The offers for a package that has none. */
export const noOffers: NamedOffers = { upgrades: [], text: '', isOfKernel: false };

/** Estimated bytes of each cache: a host can send updates with megabytes of text. */
const cachedBytes = 24 * 1024 * 1024;
/** Estimates: an update has some twenty texts, most of them short, and a sort key. */
const bytesOfShortTexts = 1_500;
const bytesOfText = 40;
const bytesPerOffer = 250;

/** An update with its id. */
export interface StoredOffer {
  readonly id: number;
  readonly offer: HostUpgrade;
}

/** Reads lists of updates. Keeps updates and lists between calls. */
export class OfferLists {
  private readonly upgrades = new LRUCache<number, HostUpgrade>({
    maxSize: cachedBytes,
    sizeCalculation: bytesOfUpgrade,
  });
  private readonly lists = new LRUCache<string, OfferList>({ maxSize: cachedBytes });

  /** @param lists ids in `upgrades` by the digest of the list. */
  async load(
    client: pg.PoolClient,
    lists: ReadonlyMap<string, readonly number[]>,
  ): Promise<ReadonlyMap<string, OfferList>> {
    const found = new Map<string, OfferList>();
    const missing = new Map<number, HostUpgrade | null>();
    for (const [digest, ids] of lists) {
      const known = this.lists.get(digest);
      if (known !== undefined) found.set(digest, known);
      else for (const id of ids) missing.set(id, this.upgrades.get(id) ?? null);
    }
    const unknown = [...missing].flatMap(([id, offer]) => (offer === null ? [id] : []));
    if (unknown.length > 0)
      for (const [id, offer] of await loadOffers(client, unknown)) {
        this.upgrades.set(id, offer);
        missing.set(id, offer);
      }
    for (const [digest, ids] of lists) {
      if (found.has(digest)) continue;
      const list = offerListOf(ids.map((id) => ({ id, offer: offerIn(missing, id) })));
      this.lists.set(digest, list, { size: bytesPerOffer * (ids.length + 1) });
      found.set(digest, list);
    }
    return found;
  }
}

/** A list of offers. */
export function offerListOf(stored: readonly StoredOffer[]): OfferList {
  const byName = groupBy(stored, ({ offer }) => offer.upgrade.name);
  const named = new Map([...byName].map(([name, some]) => [name, namedOffers(some)]));
  const ofKernel = [...byName].flatMap(([name, some]) => (named.get(name)?.isOfKernel === true ? some : []));
  const offered = stored.map(({ offer }) => offer).filter(isOffered);
  return {
    offered,
    all: namedOffers(stored),
    byName: named,
    flagged: new Set(
      stored.flatMap(({ offer: { upgrade } }) => (upgrade.isSecurity ? [plainMark(upgrade.name)] : [])),
    ),
    ofKernel: namedOffers(ofKernel),
    updates: tallyUpdates(offered, { heldArchitectures: new Map() }),
  };
}

function namedOffers(some: readonly StoredOffer[]): NamedOffers {
  if (some.length === 0) return noOffers;
  const ids = some.map(({ id }) => id).sort((a, b) => a - b);
  return {
    upgrades: some.map(({ offer }) => offer),
    text: ids.join(),
    isOfKernel: some.some(({ offer: { source } }) => source.kernelFlavour !== null),
  };
}

function offerIn(offers: ReadonlyMap<number, HostUpgrade | null>, id: number): HostUpgrade {
  const offer = offers.get(id) ?? null;
  if (offer === null) throw new Error('a snapshot refers to a row that does not exist');
  return offer;
}

function bytesOfUpgrade({ upgrade: { repository, suite, origin, advisoryIds } }: HostUpgrade): number {
  const texts = [repository, suite, origin, ...advisoryIds];
  return texts.reduce((sum, text) => sum + 2 * text.length + bytesOfText, bytesOfShortTexts);
}
