import { type HostUpgrade, isOffered, tallyUpdates, type UpdateTally } from '@plimsoll/advisories';
import { groupBy } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { loadOffers } from './host-facts.ts';
import type { UpdateNames } from './version-summaries.ts';

/** The updates that a host is offered. Equal lists that follow each other are one object. */
export interface OfferList {
  /** Those for which isOffered is true. */
  readonly offered: readonly HostUpgrade[];
  readonly all: NamedOffers;
  readonly names: UpdateNames<string>;
  /** In the order of `names.all`. */
  readonly byName: readonly NamedOffers[];
  /** All offers under names of which one can be of a kernel. */
  readonly ofKernel: NamedOffers;
  /** The places of these names. */
  readonly kernelPlaces: readonly number[];
  /** For hosts without holds. */
  readonly updates: UpdateTally;
}

/** The offers under some package names. */
export interface NamedOffers {
  readonly upgrades: readonly HostUpgrade[];
  /** Their ids; different offers have different texts, and different numbers. */
  readonly text: string;
  readonly number: number;
  readonly isOfKernel: boolean;
}

/** The offers for a package that has none. */
export const noOffers: NamedOffers = { upgrades: [], text: '', number: 0, isOfKernel: false };

/** Estimated bytes of each cache: a host can send updates with megabytes of text. */
const cachedBytes = 24 * 1024 * 1024;
/** Of the numbers of combinations of offers; a combination that comes again later gets a new number. */
const bytesPerNumber = 150;
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
  private readonly numbers = new LRUCache<string, number>({
    maxSize: cachedBytes,
    sizeCalculation: (_number, text) => bytesPerNumber + text.length,
  });
  private lastNumber = 0;

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
      const list = this.listOf(ids.map((id) => ({ id, offer: offerIn(missing, id) })));
      this.lists.set(digest, list, { size: bytesPerOffer * (ids.length + 1) });
      found.set(digest, list);
    }
    return found;
  }

  /** A list of offers. */
  listOf(stored: readonly StoredOffer[]): OfferList {
    const named = [...groupBy(stored, ({ offer }) => offer.upgrade.name)];
    const byName = named.map(([, some]) => this.namedOf(some));
    const kernelPlaces = [...byName.keys()].filter((place) => byName[place]?.isOfKernel === true);
    const ofKernel = kernelPlaces.flatMap((place) => named[place]?.[1] ?? []);
    const offered = stored.map(({ offer }) => offer).filter(isOffered);
    const isFlagged = ({ offer }: StoredOffer): boolean => offer.upgrade.isSecurity;
    return {
      offered,
      all: this.namedOf(stored),
      names: {
        all: named.map(([name]) => name),
        flagged: named.flatMap(([name, some]) => (some.some(isFlagged) ? [name] : [])),
      },
      byName,
      ofKernel: this.namedOf(ofKernel),
      kernelPlaces,
      updates: tallyUpdates(offered, { heldArchitectures: new Map() }),
    };
  }

  private namedOf(some: readonly StoredOffer[]): NamedOffers {
    if (some.length === 0) return noOffers;
    const text = some
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .join();
    return {
      upgrades: some.map(({ offer }) => offer),
      text,
      number: this.numberOf(text),
      isOfKernel: some.some(({ offer: { source } }) => source.kernelFlavour !== null),
    };
  }

  private numberOf(text: string): number {
    const number = this.numbers.get(text) ?? ++this.lastNumber;
    this.numbers.set(text, number);
    return number;
  }
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
