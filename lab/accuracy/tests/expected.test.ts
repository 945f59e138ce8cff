import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readExpected } from '../src/expectation/read-expected.ts';
import { osvOfDebianList } from '../src/feeds/debian-list.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-expected-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(kind: 'debsecan' | 'dnf-updateinfo' | 'table', text: string) {
  const file = path.join(folder, 'expected');
  writeFileSync(file, text);
  return readExpected({ kind, file: 'expected' }, file);
}

it('reads the list of dnf updateinfo, with and without an epoch', () => {
  const { pairs } = read(
    'dnf-updateinfo',
    'ALSA-2025:0288  Moderate/Sec.  NetworkManager-libnm-1:1.40.16-18.el8_10.x86_64\n' +
      'ALSA-2024:8922  Low/Sec.       bzip2-1.0.6-27.el8_10.x86_64\n',
  );
  expect(pairs).toMatchObject([
    { package: 'NetworkManager-libnm', build: '1:1.40.16-18.el8_10.x86_64', severity: 'moderate' },
    { id: 'ALSA-2024:8922', package: 'bzip2', build: '1.0.6-27.el8_10.x86_64', severity: 'low' },
  ]);
});

it('reads a table by column names, and names an invalid line', () => {
  const { pairs, lists, build } = read('table', 'binary\tadvisory\tnote\nlibtiff6\tDSA-6023-1\tany\n');
  expect({ lists, build }).toEqual({ lists: 'advisories', build: 'none' });
  expect(pairs).toMatchObject([{ id: 'DSA-6023-1', package: 'libtiff6', severity: null, fixState: null }]);
  expect(() => read('table', 'binary\tadvisory\n\tDSA-1-1\n')).toThrow('line 2');
  expect(() => read('table', 'binary\tcve\tfix_state\na\tCVE-2024-1\tsoon\n')).toThrow(
    'soon is no fix state',
  );
  expect(() => read('table', 'name\n')).toThrow('has no columns');
  expect(() => read('debsecan', 'CVE-2024-1\n')).toThrow('line 1');
});

it('converts an entry of Debian’s own lists to an OSV record, and ignores other records', () => {
  const entry = {
    id: 'DSA-5856-1',
    date: '2025-01-30',
    source: 'redis',
    cves: ['CVE-2024-46981'],
    fixes: [{ suite: 'bookworm', source: 'redis', fixed: '5:7.0.15-1~deb12u3' }],
  };
  expect(osvOfDebianList(entry)).toMatchObject({
    id: 'DSA-5856-1',
    related: ['CVE-2024-46981'],
    affected: [
      {
        package: { ecosystem: 'Debian:12', name: 'redis' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '5:7.0.15-1~deb12u3' }] }],
      },
    ],
  });
  expect(osvOfDebianList({ id: 'CVE-2024-46981', affected: [] })).toBeNull();
});
