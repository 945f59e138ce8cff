import { documentsChangedSince, idOfDocument } from '../src/feeds/change-list.ts';

const since = new Date('2026-05-02T00:00:00Z');
const paths = (text: string) => documentsChangedSince(text, since).documents.map(({ path }) => path);

describe('a list of changed documents', () => {
  it('gives the documents that changed since, each once, oldest change first', () => {
    const text = [
      '"2024/cve-2024-0003.json","2026-05-04T10:00:00+00:00"',
      '"2024/cve-2024-0001.json","2026-05-03T10:00:00+00:00"',
      '"2024/cve-2024-0003.json","2026-05-02T10:00:00+00:00"',
      '2024/cve-2024-0002.json,2026-05-02T00:00:00Z',
      '"2024/cve-2024-0009.json","2026-05-01T23:59:59+00:00"',
      '',
    ].join('\r\n');
    expect(paths(text)).toEqual([
      '2024/cve-2024-0002.json',
      '2024/cve-2024-0001.json',
      '2024/cve-2024-0003.json',
    ]);
    expect(idOfDocument('2024/cve-2024-0001.json')).toBe('CVE-2024-0001');
  });

  it('is empty if it is', () => {
    expect(documentsChangedSince('', since)).toEqual({ documents: [], unreadLines: 0 });
  });

  it.each([
    '"../2024/cve-2024-0001.json","2026-05-03T10:00:00+00:00"',
    '"2024/../cve-2024-0001.json","2026-05-03T10:00:00+00:00"',
    '"https://x.example/cve-2024-0001.json","2026-05-03T10:00:00+00:00"',
    '"2024/cve-2024-0001.json","2026-13-03T10:00:00+00:00"',
    '"2024/cve-2024-0001.json"',
    '<html>',
  ])('passes over the line %s, counts it, and refuses a list of such lines', (bad) => {
    const good = '"2024/cve-2024-0001.json","2026-05-03T10:00:00+00:00"';
    expect(documentsChangedSince(`${good}\n${bad}`, since)).toMatchObject({
      documents: [{ path: '2024/cve-2024-0001.json' }],
      unreadLines: 1,
    });
    expect(() => documentsChangedSince(bad, since)).toThrow('lines that do not describe a change');
  });
});
