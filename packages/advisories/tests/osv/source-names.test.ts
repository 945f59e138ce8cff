import type { Release } from '@plimsoll/model';
import { almalinuxOsv } from '../../src/distributions/almalinux/osv-dialect.ts';
import type { OsvDialect } from '../../src/osv/dialect.ts';
import { osvFeed } from '../../src/osv/parse-osv-record.ts';
import { advisoryRead } from '../read-advisory.ts';

const record = {
  id: 'ALSA-2024:1234',
  summary: 'Important: openssl security update',
  modified: '2024-05-01T00:00:00Z',
  affected: [
    {
      package: { ecosystem: 'AlmaLinux:9', name: 'openssl' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1:3.0.7-27.el9' }] }],
    },
  ],
};

function packagesBy(dialect: OsvDialect) {
  const feed = osvFeed({ id: 'x', distribution: 'almalinux', title: 'x', path: 'x.zip', dialect });
  return advisoryRead(feed.read(record, { release: null })).packages;
}

it('treats statements as source statements only in a dialect of source names', () => {
  const named = packagesBy({ ...almalinuxOsv, scheme: 'rpm', names: 'source' });
  expect(named).toMatchObject([{ release: 'almalinux:9' as Release, name: 'openssl', names: 'source' }]);
  expect(packagesBy(almalinuxOsv)[0]).not.toHaveProperty('names');
});
