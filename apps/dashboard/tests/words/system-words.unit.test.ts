import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemInWords, systemName } from '../../src/words/system-words.ts';

const distributions = path.resolve(__dirname, '../../../../packages/advisories/src/distributions');

/** The os-release ids of the rpm distributions that the service supports. */
const supportedIds = readdirSync(distributions, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...readFileSync(path.join(distributions, file), 'utf8').matchAll(/osIds: \[([^\]]+)\]/g),
  ])
  .flatMap(([, list = '']) => list.split(',').map((id) => id.trim().replaceAll("'", '')))
  .filter((id) => id !== '');

describe('the name of a system', () => {
  it('is known for every distribution that is supported', () => {
    expect(supportedIds).toEqual(expect.arrayContaining(['amzn', 'rhel', 'rocky', 'sles', 'opensuse-leap']));
    expect([...supportedIds, 'debian', 'ubuntu'].filter((id) => systemName(id) === id)).toEqual([]);
  });

  it.each([
    ['amzn', '2023', 'Amazon Linux 2023'],
    ['rhel', '7.3', 'RHEL 7.3'],
    ['debian', '', 'Debian'],
    ['nixos', '25.05', 'nixos 25.05'],
    ['', '', ''],
  ])('%s %s: %s', (os_name, os_version, words) => {
    expect(systemInWords({ os_name, os_version })).toBe(words);
  });

  it('shows what a host made up bounded, and without characters that are not seen', () => {
    expect(systemName('a\u202eb')).toBe('a␣b');
    expect(
      systemInWords({ os_name: 'x'.repeat(100_000), os_version: '1'.repeat(100_000) }).length,
    ).toBeLessThan(200);
  });
});
