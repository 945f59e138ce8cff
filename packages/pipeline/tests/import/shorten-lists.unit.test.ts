import { shortenLists } from '../../src/import/records/shorten-lists.ts';

const filler = 'x'.repeat(5_000);

/** The JSON that remains of a value. */
function shortened(value: unknown, space?: number): unknown {
  return JSON.parse(shortenLists(Buffer.from(JSON.stringify(value, null, space))).toString('utf8'));
}

/** An affected entry as Canonical publishes it. */
function entry(count: number) {
  const versions = Array.from({ length: count }, (_, n) => `1.${n}]"[`);
  return {
    package: { ecosystem: 'Ubuntu:22.04:LTS', name: 'linux' },
    versions,
    ecosystem_specific: {
      binaries: versions.map((version) => ({
        binary_name: `linux-image-${version}`,
        binary_version: version,
      })),
      availability: 'No subscription required',
    },
  };
}

it.each([0, 2])('keeps the first version and no binary of each list, with %s spaces', (space) => {
  const record = { id: 'UBUNTU-CVE-2024-1', affected: [entry(3), entry(1), entry(0)], details: filler };
  const short = (versions: readonly string[]) => ({
    ...entry(0),
    versions,
    ecosystem_specific: { binaries: [], availability: 'No subscription required' },
  });
  expect(shortened(record, space)).toEqual({
    ...record,
    affected: [short(['1.0]"[']), short(['1.0]"[']), short([])],
  });
});

it.each([
  ['binaries by name and version, which are read', { binaries: [{ libfoo: '1.0' }, { libbar: '1.0' }] }],
  ['lists in the list', { versions: ['1', ['2', '3']] }],
  ['other values', { versions: [1, 2], binaries: { binary_name: ['a'] } }],
  ['the words in a text', { details: 'a "versions": ["1", "2"] and "binaries":[{"binary_name":"a"}]' }],
  ['a short record', { versions: ['1', '2'] }, ''],
])('leaves %s as they are', (_, value, more = filler) => {
  expect(shortened({ ...value, more })).toEqual({ ...value, more });
});

it('leaves a record that is cut off for the parser to refuse', () => {
  const text = JSON.stringify({ details: filler, versions: ['1', '2'] });
  for (let end = text.length - 18; end < text.length; end++)
    expect(() => JSON.parse(shortenLists(Buffer.from(text.slice(0, end))).toString('utf8'))).toThrow(
      SyntaxError,
    );
});

it('takes linear time for many lists that do not end', () => {
  const text = Buffer.from(`${'"versions":["1",[],'.repeat(200_000)}`);
  const startedAt = process.cpuUsage();
  expect(shortenLists(Buffer.from(text)).equals(text)).toBe(true);
  expect(process.cpuUsage(startedAt).user).toBeLessThan(10_000_000);
});
