import { readFileSync } from 'node:fs';
import path from 'node:path';
import { distributionOf, releaseOf } from '@plimsoll/advisories';
import { osFamilyOf } from '@plimsoll/reports';

const table = readFileSync(
  path.resolve(__dirname, '../packages/advisories/testdata/os-releases.tsv'),
  'utf8',
).split('\n');
const systems = table
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .flatMap(([id = '', family = '', versions = '']) =>
    versions.split(' ').map((system) => {
      const [other = '', version = ''] = id === '-' ? system.split(':') : [id, system];
      return [other, family, version] as const;
    }),
  );

const dayMs = 86_400_000;

it.each(systems)('of %s (%s) %s is known', (osId, family, system) => {
  const [, version = '', osCodename = '', release = '', lastDay = ''] =
    /^([^/=@]+)(?:\/([^=@]+))?(?:=([^@]+))?(?:@(.+))?$/.exec(system) ?? [];
  const osVersionId = version === '-' ? '' : version;
  const osFamily = osFamilyOf(osId);
  expect(osFamily).toBe(family);
  const isUnreleased = osId === 'debian' && version === '-';
  const verdict = releaseOf({
    ...{ osFamily, osId, osVersionId, osVersion: osVersionId, osCodename, ipAddresses: [] },
    ...{ architecture: '', hostname: '', machineId: '', virtualization: '' },
    osPrettyName: isUnreleased ? `Debian GNU/Linux ${osCodename}/sid` : '',
  });
  if (verdict.kind !== 'release') {
    expect(verdict.reason).toBe(release === '?' ? 'no_release_number' : 'other_distribution');
    return;
  }
  const end = distributionOf(verdict.release)?.lifecycleOf(verdict.release)?.endsAt;
  expect(verdict.release).toBe(release);
  expect(end === undefined ? '' : new Date(end.getTime() - dayMs).toISOString().slice(0, 10)).toBe(lastDay);
});
