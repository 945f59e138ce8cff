import { createHash } from 'node:crypto';
import { createDeliveryStore, createMailConfirmationStore, systemActor } from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import { mailReceiverPerTest } from './mail-receiver.ts';
import { mailerTo, workerPer } from './worker-under-test.ts';

const by = systemActor('test');
const addresses = ['inside@example.org', 'outside@example.net'];

const mail = mailReceiverPerTest();
const worker = workerPer('test', () => ({
  mailer: mailerTo(mail.port),
  mailDomains: ['example.org', 'example.net'],
}));
let channelId: string;

beforeEach(async () => {
  channelId = await worker.addChannel({ kind: 'email', addresses, unconfirmed: ['outside@example.net'] });
});

async function send(kind: 'addTest' | 'addConfirmation'): Promise<void> {
  const channel = await worker.channels.find(channelId, wholeFleet);
  if (channel === null) throw new Error('no channel');
  await createDeliveryStore(worker.database.as('api'))[kind](channel, by);
  await worker.attemptAll();
}
const receiversOf = (message: string) => /^To: (.*)$/m.exec(message)?.[1];
/** The token in the newest mail. Lines of mails are cut with an equals sign at their end. */
const newestToken = () =>
  /plm_[\w-]{43}/.exec((mail.messages.at(-1) ?? '').replace(/=\r?\n/g, ''))?.[0] ?? '';
const confirm = (token: string) =>
  createMailConfirmationStore(worker.database.as('api')).confirm(
    createHash('sha256').update(token).digest(),
    () => by,
  );

it('get nothing but the request until the link of it is used, once', async () => {
  await send('addTest');
  expect(mail.messages.map(receiversOf)).toEqual(['inside@example.org']);
  const [first] = await worker.deliveries();
  expect(first?.attempts[0]?.error).toContain('outside@example.net');
  await send('addConfirmation');
  expect(mail.messages.slice(1).map(receiversOf)).toEqual(['outside@example.net']);
  expect(mail.messages[1]).not.toContain('Channel');
  const token = newestToken();
  const stored = await worker.sql('SELECT * FROM notification_deliveries, mail_confirmations');
  expect(JSON.stringify(stored.rows)).not.toContain(token.slice(4));
  expect([await confirm('plm_other'), await confirm(token), await confirm(token)]).toEqual([
    false,
    true,
    false,
  ]);
  await send('addTest');
  expect(receiversOf(mail.messages.at(-1) ?? '')).toBe('inside@example.org, outside@example.net');
});

it('are not confirmed by a link that was replaced, or is over', async () => {
  await send('addConfirmation');
  const replaced = newestToken();
  await send('addConfirmation');
  const token = newestToken();
  expect(await confirm(replaced)).toBe(false);
  await worker.sql(`UPDATE mail_confirmations SET expires_at = now() - interval '1 second'`);
  expect(await confirm(token)).toBe(false);
  expect((await worker.channels.find(channelId, wholeFleet))?.unconfirmed).toEqual(['outside@example.net']);
});

it('are asked again after a refusal, with a link that works', async () => {
  mail.behaves('refuse');
  await send('addConfirmation');
  expect((await worker.deliveries()).at(-1)?.state).toBe('waiting');
  mail.behaves('accept');
  await worker.advance();
  await worker.attemptAll();
  expect(await confirm(newestToken())).toBe(true);
});

it('outside of the permitted domains get nothing, whenever they were entered', async () => {
  channelId = await worker.addChannel({ kind: 'email', addresses: ['a@example.com', 'a@sub.example.org'] });
  await send('addTest');
  expect(mail.messages).toEqual([]);
  expect((await worker.deliveries()).at(-1)).toMatchObject({
    state: 'cancelled',
    endReason: expect.stringContaining('a@example.com, a@sub.example.org'),
  });
});
