import { parseHostFilter } from '@plimsoll/contract';
import type { DeliveryItem } from '@plimsoll/db';
import { entryOfItem } from '../src/messages/entry-of-item.ts';

const hosts = [
  { id: '019ab0c2-0000-7000-8000-000000000001', display_name: 'web-1' },
  { id: '019ab0c2-0000-7000-8000-000000000002', display_name: 'web-2' },
];

function item(event: DeliveryItem['event'], more: Partial<DeliveryItem> = {}): DeliveryItem {
  return {
    id: '019ab0c2-0000-7000-8000-00000000000a',
    event,
    at: '2026-11-23T10:00:00.000Z',
    subject: '',
    severity: null,
    hosts,
    host_count: 2,
    data: {},
    ...more,
  };
}

it('tells a known exploited advisory in sentences, with its address if the service has one', () => {
  const told = item('finding.known_exploited', {
    subject: 'DSA-5000-1',
    severity: 'important',
    data: {
      advisory: {
        title: 'openssl: buffer overflow',
        cves: ['CVE-2026-0001', 'CVE-2026-0002'],
        known_exploited: true,
        has_fix: true,
      },
    },
    host_count: 3,
  });
  expect(entryOfItem(told, 'https://plimsoll.example')).toEqual({
    title: 'DSA-5000-1: important, known to be exploited, on 3 hosts',
    text: 'openssl: buffer overflow (CVE-2026-0001, CVE-2026-0002). The vendor has published a fix. Hosts: web-1, web-2 and 1 more.',
    url: 'https://plimsoll.example/advisories/DSA-5000-1',
  });
  expect(entryOfItem(told, null).url).toBeNull();
});

it.each(['host.pending', 'disagreement.jumped'] as const)(
  'links %s to the hosts that it is about',
  (event) => {
    const { url } = entryOfItem(item(event), 'https://plimsoll.example');
    const search = Object.fromEntries(new URL(url ?? '').searchParams);
    expect(Object.keys(search)).toHaveLength(1);
    // The page has the filters of GET /hosts, and would ignore another one.
    expect(parseHostFilter(search)).not.toBeNull();
  },
);

it.each([
  [
    { updated_at: '2026-11-13T06:00:00Z', error: null, releases: null },
    'The data of the feed debian-osv is outdated',
    'It is of 13 Nov 2026 06:00 UTC. Newer advisories are not known here.',
  ],
  [
    { updated_at: null, error: 'It was not fetched.', releases: null },
    'The feed debian-osv was never synced',
    'Which findings hosts have is not known here without it. It was not fetched.',
  ],
  [
    { updated_at: null, error: null, releases: ['debian:12'] },
    'The feed debian-osv was never synced for debian:12',
    'Which findings hosts have is not known here without it.',
  ],
])('tells a feed without current data by what is not known: %j', (data, title, text) => {
  const told = item('feed.stale', { subject: 'debian-osv', hosts: null, host_count: 0, data });
  expect(entryOfItem(told, null)).toMatchObject({ title, text });
});

it('says first that evidence is to be taken, where the due dates ask for forensics', () => {
  const first = 'Take the evidence before a host is changed: the due dates ask for a forensic examination. ';
  for (const event of ['finding.overdue', 'finding.due_soon'] as const)
    for (const subject of ['', 'DSA-5000-1']) {
      const { text } = entryOfItem(item(event, { subject }), null);
      expect(text).not.toContain('evidence');
      const asked = entryOfItem(item(event, { subject, data: { forensics: true } }), null);
      expect(asked.text).toBe(`${first}${text}`);
    }
});
