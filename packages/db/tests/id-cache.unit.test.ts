import { createIdCache } from '../src/ingest/interning.ts';

it('keeps short texts, and no text of a hostile host that fills the memory', () => {
  const cache = createIdCache();
  cache.set('debian:12\0bash\0amd64\x005.2-1', 1);
  const long = 'x'.repeat(1024 * 1024);
  for (let id = 2; id < 100; id += 1) cache.set(`${long}${id}`, id);
  expect(cache.size).toBe(1);
  expect(cache.get('debian:12\0bash\0amd64\x005.2-1')).toBe(1);
  for (let id = 0; id < 150_000; id += 1) cache.set(String(id).padStart(1_000, 'x'), id);
  expect(cache.calculatedSize).toBeLessThanOrEqual(64 * 1024 * 1024);
});
