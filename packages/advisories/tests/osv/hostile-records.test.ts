import type { AdvisoryReading } from '../../src/index.ts';
import { debianRecord, readDebian } from '../debian-records.ts';
import { advisoryRead } from '../read-advisory.ts';

function parse(changes: object): AdvisoryReading {
  return readDebian({ ...debianRecord('CVE-2024-6387'), ...changes });
}

describe('a hostile record', () => {
  it.each([null, 1, 'text', true, [], undefined])('that is %j is rejected', (json) => {
    expect(readDebian(json)).toEqual({ kind: 'rejected', reason: 'not_an_object', issues: [] });
  });

  it.each([
    undefined,
    7,
    '',
    '../../etc/passwd',
    'CVE-2024-1/../2',
    'CVE..2024',
    '.hidden',
    'CVE-2024-1\n',
    'CVE-2024-1\u0000',
    'CVE 2024 1',
    'CVE-2024-１',
    'C'.repeat(129),
  ])('with id %j is rejected', (id) => {
    expect(parse({ id })).toMatchObject({ kind: 'rejected', reason: 'invalid_id' });
  });

  it('with more affected entries than any real one is rejected before they are read', () => {
    expect(parse({ affected: new Array(20_001).fill({}) })).toMatchObject({
      kind: 'rejected',
      reason: 'too_many_affected',
    });
  });

  it.each([{ affected: 'all' }, { affected: {} }, { affected: [1, 2] }, { affected: [{ package: 1 }] }])(
    'with %j is rejected',
    (changes) => {
      expect(parse(changes)).toMatchObject({ kind: 'rejected', reason: 'invalid_affected' });
    },
  );

  it.each(['', 'Zlib', 'zlib/../x', 'z lib', 'z\u0000', 'z'.repeat(200), 5])(
    'with package name %j loses that entry',
    (name) => {
      const ranges = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }];
      const affected = [
        { package: { ecosystem: 'Debian:12', name }, ranges },
        { package: { ecosystem: 'Debian:12', name: 'zlib' }, ranges },
      ];
      expect(parse({ affected })).toMatchObject({
        kind: 'read',
        items: [{ packages: [{ name: 'zlib' }] }],
        issues: [{ pointer: '/affected/0/package/name', reason: 'invalid_package_name' }],
      });
    },
  );

  it('keeps its valid parts, with an issue for each invalid part', () => {
    const parsed = parse({
      published: 'yesterday',
      modified: 20240701,
      withdrawn: '2024-07-01T13:15:06+05:00',
      aliases: ['GHSA-1', '../x', 5],
      summary: ['no text'],
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }, 'high', { type: 'CVSS_V3' }],
    });
    expect(parsed).toMatchObject({
      kind: 'read',
      items: [{ publishedAt: null, modifiedAt: null, withdrawnAt: null, aliases: ['GHSA-1'], cvss: null }],
      issues: [
        { pointer: '/severity/1', reason: 'wrong_type' },
        { pointer: '/severity/0/score', reason: 'invalid_cvss' },
        { pointer: '/severity/2/score', reason: 'invalid_cvss' },
        { pointer: '/aliases/1', reason: 'invalid_id' },
        { pointer: '/aliases/2', reason: 'invalid_id' },
        { pointer: '/summary', reason: 'wrong_type' },
        { pointer: '/published', reason: 'invalid_time' },
        { pointer: '/modified', reason: 'wrong_type' },
        { pointer: '/withdrawn', reason: 'invalid_time' },
      ],
    });
  });

  it('cannot put line breaks, control characters or turned text into its title', () => {
    const parsed = parse({ summary: ' a\u0000\u001b[31mred\r\n\u202egnp.exe\u2028\ud800 b ' });
    expect(parsed).toMatchObject({ items: [{ title: 'a [31mred gnp.exe b' }] });
  });

  it.each([
    [{ summary: 'x'.repeat(500) }, 200],
    [{ summary: '😀'.repeat(500) }, 200],
    [{ details: 'y'.repeat(100_000) }, 200],
  ])('has a title of at most 200 characters', (changes, characters) => {
    const parsed = parse(changes);
    expect(Array.from(advisoryRead(parsed).title)).toHaveLength(characters);
    expect(advisoryRead(parsed).title.endsWith('…')).toBe(true);
  });

  it('without any words is titled by its id', () => {
    expect(parse({ details: ' \n ' })).toMatchObject({ items: [{ title: 'CVE-2024-6387' }] });
  });

  it('has at most a hundred issues', () => {
    const parsed = parse({ aliases: new Array(5000).fill(1) });
    expect(parsed.kind === 'read' && parsed.issues).toHaveLength(100);
  });

  it('counts the newest CVSS version, and of one version the highest score', () => {
    const v2 = { type: 'CVSS_V2', score: 'AV:N/AC:L/Au:N/C:C/I:C/A:C' };
    const low = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N' };
    const high = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' };
    expect(parse({ severity: [v2, low, high] })).toMatchObject({
      items: [{ cvss: { vector: high.score } }],
    });
  });
});
