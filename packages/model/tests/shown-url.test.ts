import { shownUrl } from '../src/index.ts';

it.each([
  ['https://mirror.lan/osv/all.zip', 'https://mirror.lan/osv/all.zip'],
  ['http://me:hunter2@mirror.lan:8080/a', 'http://mirror.lan:8080/a'],
  ['https://mirror.lan/a.zip?sig=hunter2#hunter2', 'https://mirror.lan/a.zip'],
  ['file:///srv/mirror/all.zip', 'file:///srv/mirror/all.zip'],
  ['http://[fd00::1]:81/a', 'http://[fd00::1]:81/a'],
  ['hunter2', '(not a URL)'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
  if (shown !== '(not a URL)') expect(shownUrl(new URL(url))).toBe(shown);
});

it('cuts a long URL', () => {
  expect(shownUrl(`https://mirror.lan/${'a'.repeat(10_000)}`).length).toBeLessThan(310);
});
