import type { DeliveryItem } from '@plimsoll/db';
import type { DeliveryKind } from '@plimsoll/model';
import { mailOfMessage } from '../src/mail/mail-of-message.ts';
import type { Mail } from '../src/mail/mailer.ts';
import { messageOfDelivery } from '../src/messages/message-of-delivery.ts';
import { bulletinMailOf } from './sample-bulletin.ts';

const at = '2026-11-23T10:14:00.000Z';
const hosts = [1, 2, 3].map((n) => ({ id: `h${n}`, display_name: `web-${n}.example.org` }));
const item = (event: DeliveryItem['event'], subject: string, more: Partial<DeliveryItem> = {}) => ({
  ...{ id: 'x', event, subject, at, severity: null, hosts, host_count: 300, data: {} },
  ...more,
});
const items = [
  item('finding.known_exploited', 'DSA-5678-1', {
    severity: 'critical',
    data: { advisory: { title: 'linux: use after free', cves: ['CVE-2026-12345'], has_fix: true } },
  }),
  item('host.stale', ''),
  item('feed.stale', 'debian-osv', { hosts: null, host_count: 0, data: { updated_at: at, error: '503' } }),
];
const mailOf = (kind: DeliveryKind, events: DeliveryItem[], omitted = 0) =>
  mailOfMessage(
    'id',
    ['a@example.org'],
    messageOfDelivery(
      {
        ...{ id: 'd1' as never, kind, items: { events, omitted }, createdAt: new Date(at) },
        ...{ channelName: 'Mail', routeName: 'Team 7' },
      },
      'https://plimsoll.example',
    ),
  );

const mails: readonly (readonly [kind: string, mail: Mail])[] = [
  ['a notification', mailOf('finding.known_exploited', items.slice(0, 1))],
  ['a digest', mailOf('digest', items, 12)],
  ['a test', mailOf('test', [])],
  ['a report by mail', bulletinMailOf()],
  ['a report by mail with limits', bulletinMailOf({}, 'host\r\n', 3)],
];

describe.each(mails)('%s as HTML', (_kind, { html, text }) => {
  const elements = [...html.matchAll(/<([a-z]\w*)((?:\s[^>]*)?)>/g)].map(
    ([, name = '', attributes = '']) => ({
      name,
      attributes,
      style: /style="([^"]*)"/.exec(attributes)?.[1] ?? '',
    }),
  );

  it('has only elements that mail programs show alike, and nothing from elsewhere', () => {
    const allowed = /^(html|head|meta|title|body|table|thead|tbody|tr|th|td|h1|h2|p|a|ul|li|strong|br)$/;
    expect(elements.filter(({ name }) => !allowed.test(name))).toEqual([]);
    expect(html).not.toMatch(/\s(src|background|srcset|class|id|on\w+)=|url\(|@import|@media/i);
    // Links are followed by people only.
    const addresses = [...html.matchAll(/(?:https?:)?\/\/[^"<\s]+/g)].map(([address]) => address);
    const links = elements.flatMap(({ name, attributes }) =>
      name === 'a' ? [/href="([^"]*)"/.exec(attributes)?.[1]] : [],
    );
    expect(addresses).toEqual(links);
  });

  it('sets the colour behind every text whose colour it sets, and the other way round', () => {
    const halves = elements.filter(
      ({ name, style }) =>
        name !== 'body' && /(^|;)color:/.test(style) !== /(^|;)background-color:/.test(style),
    );
    // Tables that are only a layer behind others.
    expect(halves.filter(({ name }) => name !== 'table')).toEqual([]);
    for (const { attributes, style } of elements.filter(({ name }) => /^(h[12]|p|td|th|a)$/.test(name))) {
      const isLayout = /align="center"/.test(attributes);
      if (!isLayout && !/margin:0"/.test(attributes)) expect(style).toMatch(/(^|;)color:#/);
    }
    expect(html).toContain('<meta name="color-scheme" content="light">');
  });

  it('lays out with tables that screen readers do not take for data, and that fit a phone', () => {
    const tables = elements.filter(({ name }) => name === 'table');
    const isData = ({ attributes }: { readonly attributes: string }) => !attributes.includes('presentation');
    expect(tables.filter(isData).length).toBe(html.split('<thead>').length - 1);
    // Outlook reads the attribute of the outermost table, other programs its style.
    for (const { attributes, style } of tables)
      expect(/\swidth="100%"/.test(attributes) || /(^|;)width:100%(;|$)/.test(style)).toBe(true);
  });

  it('states the same numbers, dates and names as the text', () => {
    const shown = html
      .replace(/<title>.*?<\/title>/, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#39;|&quot;|&lt;|&gt;|&amp;/g, ' ');
    const plain = text.replace(/https:\/\/\S+/g, ' ').replace(/[&<>"']/g, ' ');
    expect(factsIn(plain)).toEqual(factsIn(shown));
    for (const link of html.matchAll(/href="([^"]*)"/g))
      if (!/\/advisories\//.test(link[1] ?? '')) expect(text).toContain(link[1]);
  });
});

/** All words with a digit, sorted. */
function factsIn(text: string): readonly string[] {
  const words = text.match(/[+−]?[\p{L}\d][\p{L}\d.,:_-]*/gu) ?? [];
  return words
    .filter((word) => /\d/.test(word))
    .map((word) => word.replace(/[.,:]+$/, ''))
    .sort();
}
