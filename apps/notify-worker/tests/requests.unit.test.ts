import { createHmac } from 'node:crypto';
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
  more: null,
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

function isPlainText(value: unknown): value is { type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'plain_text';
}

it('keeps within the length that Discord accepts', () => {
  const entries = Array.from({ length: 20 }, () => ({
    title: 'x'.repeat(200),
    text: 'y'.repeat(200),
    url: null,
  }));
  const { body } = channelRequest('discord', { ...outgoing, message: { ...message, entries } });
  expect(JSON.parse(body).content.length).toBe(2000);
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
  expect(title).toBe('300 hosts stopped reporting');
  expect(entries[0]?.text).toContain('web 0, web 1, web 2, web 3, web 4 and 295 more.');
  expect(data).toEqual({ host_count: 300, hosts });
});
