import { placeWithin, textSearch } from '../../src/shell/text-search.ts';

describe('the parameters of an address', () => {
  it('are the known ones as text, however the router reads them', () => {
    const read = textSearch('q', 'exploited', 'os_major', 'tab');
    expect(read({ q: 'curl', exploited: true, os_major: 12, tab: '', other: 'x' })).toEqual({
      q: 'curl',
      exploited: 'true',
      os_major: '12',
    });
  });

  it('leave out what is no text', () => {
    const read = textSearch('q', 'sort', 'gap');
    expect(read({ q: ['a', 'b'], sort: { key: 1 }, gap: null })).toEqual({});
  });
});

describe('the place to go back to after signing in', () => {
  it.each(['/', '/hosts?q=web', '/hosts/1#top'])('%s is within the dashboard', (place) => {
    expect(placeWithin(place)).toBe(place);
  });

  it.each([
    undefined,
    '',
    'hosts',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:1',
  ])('%s is not followed', (place) => {
    expect(placeWithin(place)).toBeNull();
  });
});
