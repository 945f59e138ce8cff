import { createHmac } from 'node:crypto';
import { channelKinds } from '@plimsoll/model';
import { channelRequest } from '../src/channels/channel-request.ts';
import type { Outgoing } from '../src/channels/outgoing.ts';
import { mailOfMessage } from '../src/mail/mail-of-message.ts';
import type { Message } from '../src/messages/message.ts';
import { messageOfDelivery } from '../src/messages/message-of-delivery.ts';

const hostile = '<!channel> @everyone **x** [a](https://evil.example) <script>&';
const message: Message = {
  id: 'b6b6a1de-6b0e-4c7f-8d7e-f6a8b4a1a001',
  event: 'host.stale',
  at: '2026-11-23T10:00:00.000Z',
  title: `1 host stopped reporting ${hostile}`,
  weight: 'warning',
  entries: [{ title: hostile, text: hostile, url: 'https://plimsoll.example/hosts/1' }],
  left: 0,
  data: { host_count: 1 },
};
const outgoing: Outgoing = {
  deliveryId: '019a0000-0000-7000-8000-000000000000',
  url: new URL('https://receiver.example/in/topic'),
  secret: 'a secret of sixteen bytes',
  previousSecret: null,
  message,
  now: new Date('2026-11-23T10:00:00.900Z'),
};

it('signs a webhook over timestamp and body, also with the secret before', () => {
  const { headers, body } = channelRequest('webhook', { ...outgoing, previousSecret: 'the one before it' });
  const sign = (key: string) => createHmac('sha256', key).update(`1795428000.${body}`).digest('hex');
  expect(headers).toEqual({
    'plimsoll-event': 'host.stale',
    'plimsoll-delivery': outgoing.deliveryId,
    'plimsoll-timestamp': '1795428000',
    'plimsoll-signature': `sha256=${sign('a secret of sixteen bytes')}`,
    'plimsoll-signature-previous': `sha256=${sign('the one before it')}`,
  });
  expect(JSON.parse(body)).toEqual({
    id: message.id,
    event: 'host.stale',
    at: message.at,
    data: { host_count: 1 },
  });
});

it('does not sign a webhook without a secret', () => {
  const { headers } = channelRequest('webhook', { ...outgoing, secret: null });
  expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([]);
});

it.each([
  ['slack', ['<!channel>', '<script>']],
  ['mattermost', ['@everyone', '**x**', '[a](https://evil']],
  ['discord', ['@everyone', '**x**', '[a](https://evil']],
  ['teams', ['**x**', '[a](https://evil']],
] as const)('%s shows names from hosts and feeds as plain text', (kind, marks) => {
  const { body } = channelRequest(kind, outgoing);
  const texts = JSON.stringify(
    JSON.parse(body, (_key, value) => (isPlainText(value) ? { ...value, text: '' } : value)),
  );
  expect(marks.filter((mark) => texts.includes(mark))).toEqual([]);
  expect(body).toContain('plimsoll.example/hosts/1');
});

const links = [
  'https://evil.example/login',
  '(ftp://evil.example)',
  'www.evil.example',
  'evil.example/login',
  'evil.example:8080/x',
];

it.each(channelKinds.filter((kind) => kind !== 'webhook'))(
  '%s gets no link from names of hosts, advisories, routes and channels, and hosts keep their names',
  (kind) => {
    const item = {
      id: message.id,
      event: 'finding.new' as const,
      subject: links[0] ?? '',
      at: message.at,
      severity: null,
      hosts: [...links, 'web-1.example.org'].map((name) => ({ id: 'h', display_name: name })),
      host_count: 6,
      data: { advisory: { title: links.join(' '), cves: links } },
    };
    const about = { id: outgoing.deliveryId as never, createdAt: new Date(), channelName: links[0] ?? '' };
    const deliveries = ['finding.new', 'digest', 'test'] as const;
    for (const delivery of deliveries) {
      const events = [item, { ...item, event: 'host.stale' as const, hosts: item.hosts.slice(1) }];
      const items = { events, omitted: 0 };
      const made = messageOfDelivery(
        { ...about, kind: delivery, items, routeName: links.join(' ') },
        'https://plimsoll.example',
      );
      const sent =
        kind === 'email'
          ? JSON.stringify(mailOfMessage('id', ['a@example.org'], made))
          : channelRequest(kind, { ...outgoing, message: made }).body;
      const text = sent.replaceAll('\\\\', '');
      expect(text.match(/[^\s"]*(?::\/\/evil|www\.evil|evil\.example[:/])[^\s"]*/g)).toBeNull();
      if (delivery === 'digest') expect(text).toContain('web-1.example.org');
      if (delivery === 'finding.new') expect(sent).toContain('https://plimsoll.example/');
    }
  },
);

function isPlainText(value: unknown): value is { type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'plain_text';
}

it.each(['slack', 'mattermost', 'discord', 'teams', 'ntfy'] as const)(
  '%s says the title of a single event once, and of several that of each below their own',
  (kind) => {
    const entry = { title: 'Alpha stopped', text: 'Reports are late.', url: null };
    const bodyOf = (about: Partial<Message>) =>
      channelRequest(kind, { ...outgoing, message: { ...message, entries: [entry], ...about } }).body;
    const timesIn = (body: string, words: string) => body.split(words).length - 1;
    // Slack repeats it in what it shows outside of the channel.
    expect(timesIn(bodyOf({ title: entry.title }), entry.title)).toBe(kind === 'slack' ? 2 : 1);
    const several = bodyOf({ title: 'Two things', entries: [entry, entry], left: 3 });
    expect(timesIn(several, entry.title)).toBe(2);
    expect(several).toContain('Two things');
    expect(several).toContain('And 3 more: see the dashboard.');
  },
);

it('adds no full stop to a text that was cut', () => {
  const item = {
    id: message.id,
    event: 'finding.new' as const,
    subject: 'CVE-2024-1',
    at: message.at,
    severity: 'critical' as const,
    hosts: [{ id: 'h', display_name: 'web' }],
    host_count: 1,
    data: { advisory: { title: 'x'.repeat(300), cves: [], has_fix: false } },
  };
  const delivery = {
    id: outgoing.deliveryId as never,
    kind: 'summary' as const,
    items: { events: [item, item, { ...item, event: 'host.back' as const }], omitted: 2 },
    createdAt: new Date(),
    channelName: 'c',
    routeName: 'r',
  };
  const { title, entries, left } = messageOfDelivery(delivery, null);
  expect(entries[0]?.text).toContain('x… The vendor has published no fix. Host: web.');
  expect([title, left]).toEqual([
    'Several events for r: 2 × new finding, 1 × host reporting, 2 not named',
    2,
  ]);
});

it('keeps within the length that Discord accepts, and says how many are left out', () => {
  const entries = Array.from({ length: 20 }, () => ({
    title: 'x'.repeat(200),
    text: 'y'.repeat(200),
    url: null,
  }));
  const { body } = channelRequest('discord', { ...outgoing, message: { ...message, entries, left: 7 } });
  const { content } = JSON.parse(body);
  expect(content.length).toBeLessThanOrEqual(2000);
  const shown = content.split('\n- ').length - 1;
  expect(shown).toBeGreaterThan(2);
  expect(content.endsWith(`yyy\nAnd ${27 - shown} more: see the dashboard.`)).toBe(true);
  const [first] = entries;
  const long = { ...message, entries: [{ ...first, title: 'x'.repeat(5_000) }, first], left: 0 } as Message;
  const cut = JSON.parse(channelRequest('discord', { ...outgoing, message: long }).body).content;
  expect([cut.length, cut.endsWith('…\nAnd 1 more: see the dashboard.')]).toEqual([2000, true]);
});

it('publishes to the topic at the end of an address of ntfy, with the token', () => {
  const { url, headers, body } = channelRequest('ntfy', outgoing);
  expect(url.href).toBe('https://receiver.example/in/');
  expect(headers).toEqual({ authorization: 'Bearer a secret of sixteen bytes' });
  expect(JSON.parse(body)).toMatchObject({
    topic: 'topic',
    priority: 4,
    click: 'https://plimsoll.example/hosts/1',
  });
});

it('writes e-mail as text and as HTML in which names are text', () => {
  const mail = mailOfMessage('id', ['a@example.org'], message);
  expect(mail.html).not.toContain('<script>');
  expect(mail.html).toContain('&lt;script&gt;');
  expect(mail.html).toContain('name="viewport"');
  expect(mail.text).toContain('https://plimsoll.example/hosts/1');
});

it('names five hosts and counts the others, without line breaks from hosts', () => {
  const hosts = Array.from({ length: 8 }, (_, n) => ({ id: `h${n}`, display_name: `web\n${n}` }));
  const item = {
    id: message.id,
    event: 'host.stale' as const,
    subject: '',
    at: message.at,
    severity: null,
    hosts,
    host_count: 300,
    data: {},
  };
  const delivery = {
    id: outgoing.deliveryId as never,
    kind: 'host.stale' as const,
    items: { events: [item], omitted: 0 },
    createdAt: new Date(),
    channelName: 'c',
    routeName: 'r',
  };
  const { title, entries, data } = messageOfDelivery(delivery, null);
  expect(title).toBe('No current report from 300 hosts');
  expect(entries[0]?.text).toContain('web 0, web 1, web 2, web 3, web 4 and 295 more.');
  expect(data).toEqual({ host_count: 300, hosts });
});
