import { fileKey } from '../src/feeds/file-key.ts';

const keyOf = (url: string): string => fileKey(new URL(url));

describe('fileKey', () => {
  it.each(['https://mirror.lan/osv/all.zip', 'http://mirror.lan:8080/a%20b', 'file:///srv/mirror/all.zip'])(
    'is the URL %s itself where that holds nothing secret',
    (url) => expect(keyOf(url)).toBe(url),
  );

  it.each([
    'https://me:hunter2@mirror.lan/osv/all.zip',
    'https://hunter2@mirror.lan/osv/all.zip',
    'https://mirror.lan/osv/all.zip?sig=hunter2',
    'https://mirror.lan/osv/all.zip#hunter2',
  ])('of %s begins with its place, without the secret', (url) => {
    expect(keyOf(url)).toMatch(/^https:\/\/mirror\.lan\/osv\/all\.zip#[\w-]{22}$/);
  });

  it('stays the same in every process: files read before are found by it', () => {
    expect(keyOf('https://mirror.lan/get?file=a')).toBe('https://mirror.lan/get#KyT4zCLE8NNe4ujyXDcaNI');
  });

  it('differs with the query, because another query is another file', () => {
    expect(keyOf('https://mirror.lan/get?file=a')).not.toBe(keyOf('https://mirror.lan/get?file=b'));
  });
});
