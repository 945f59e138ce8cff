import { taggedHosts, wholeFleet } from '@plimsoll/model';
import { TagSets } from '../src/hosts/tag-sets.ts';

const take = (sets: TagSets, ...tags: string[]) => sets.take(JSON.stringify(tags));
const isSeen = (sets: TagSets, number: number, ...scope: string[]) =>
  sets.seenIn(taggedHosts(scope))[number] === 1;

it('number equal sets alike, and answer which are in a scope', () => {
  const sets = new TagSets();
  const [web, both, none] = [take(sets, 'web'), take(sets, 'db', 'web'), take(sets)];
  expect(take(sets, 'web')).toBe(web);
  expect(new Set([web, both, none]).size).toBe(3);
  expect([web, both, none].map((number) => isSeen(sets, number, 'web'))).toEqual([true, true, false]);
  expect([web, both, none].map((number) => isSeen(sets, number, 'db', 'x'))).toEqual([false, true, false]);
  expect(isSeen(sets, web)).toBe(false);
  expect(sets.tagsOf(both)).toEqual(['db', 'web']);
});

it('see a host without a set in no scope but that of the whole fleet', () => {
  const sets = new TagSets();
  expect(isSeen(sets, 0, 'web')).toBe(false);
  expect(sets.seenIn(wholeFleet)[take(sets, 'web')]).toBe(1);
});

it('use the number of a set again, with the answer of the new set', () => {
  const sets = new TagSets();
  const web = take(sets, 'web');
  take(sets, 'web');
  expect(isSeen(sets, web, 'web')).toBe(true);
  sets.giveBack(web);
  expect(isSeen(sets, web, 'web')).toBe(true);
  sets.giveBack(web);
  expect(take(sets, 'db')).toBe(web);
  expect([isSeen(sets, web, 'web'), isSeen(sets, web, 'db')]).toEqual([false, true]);
});

it('answer for sets that come after a scope was judged', () => {
  const sets = new TagSets();
  take(sets, 'web');
  expect(isSeen(sets, 1, 'web')).toBe(true);
  const later = Array.from({ length: 1_000 }, (_, n) => take(sets, n % 2 === 0 ? 'web' : 'db', `rack-${n}`));
  expect(later.map((number) => isSeen(sets, number, 'web'))).toEqual(later.map((_, n) => n % 2 === 0));
});
