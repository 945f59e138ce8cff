import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailSettings } from '../src/mail/mail-settings.ts';
import { createMailer } from '../src/mail/mailer.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-mail-'));
const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
execFileSync(
  'openssl',
  [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    keyFile,
    '-out',
    certFile,
    ...subject,
  ],
  { stdio: 'ignore' },
);
const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
afterAll(() => rmSync(folder, { recursive: true }));

const mail = {
  id: '019a0000-0000-7000-8000-000000000000',
  to: ['ops@example.org'],
  subject: 'S',
  text: 'T',
  html: '<p>H</p>',
};
let server: SMTPServer | null = null;
afterEach(async () => {
  if (server !== null) await new Promise<void>((resolve) => server?.close(() => resolve()));
  server = null;
});

async function serve(options: SMTPServerOptions, more: Partial<MailSettings> = {}) {
  const messages: { readonly text: string; readonly isEncrypted: boolean }[] = [];
  server = new SMTPServer({
    key,
    cert,
    logger: false,
    authOptional: true,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === 'plimsoll' && password === 'right';
      callback(isRight ? null : new Error('no'), isRight ? { user: username } : undefined);
    },
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        messages.push({ text: Buffer.concat(pieces).toString('utf8'), isEncrypted: session.secure });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo; // It listens on TCP.
  const mailer = createMailer({
    host: 'localhost',
    port,
    security: 'starttls',
    user: null,
    password: null,
    from: 'plimsoll@example.org',
    authorities: cert,
    ...more,
  });
  return { mailer, messages };
}

it('sends text and HTML over STARTTLS, with a Message-ID of the delivery', async () => {
  const { mailer, messages } = await serve({}, { user: 'plimsoll', password: 'right' });
  expect(await mailer.send(mail)).toEqual({ kind: 'accepted', status: 250, refused: [] });
  expect(messages).toHaveLength(1);
  expect(messages[0]?.isEncrypted).toBe(true);
  expect(messages[0]?.text).toContain(`Message-ID: <${mail.id}@example.org>`);
  expect(messages[0]?.text).toContain('text/plain');
  expect(messages[0]?.text).toContain('<p>H</p>');
});

it('makes no header of a subject that looks like an encoded word', async () => {
  const { mailer, messages } = await serve({});
  const name = `=?utf-8?Q?Report=0D=0ABcc:_victim@example.org?= ${'and more '.repeat(12)}`;
  await mailer.send({ ...mail, subject: name });
  const [head = ''] = (messages[0]?.text ?? '').split('\r\n\r\n');
  const subject = /^Subject:((?:.|\r\n )*)/m.exec(head)?.[1] ?? '';
  const words = [...subject.matchAll(/=\?UTF-8\?B\?([\w+/=]+)\?=/g)];
  expect(words.map(([word]) => word).join(' ')).toBe(subject.replace(/\s+/g, ' ').trim());
  expect(words.map(([, word = '']) => Buffer.from(word, 'base64').toString()).join('')).toBe(name);
  expect(Math.max(...words.map(([word]) => word.length))).toBeLessThanOrEqual(75);
});

it.each([
  ['does not encrypt', { disabledCommands: ['STARTTLS'] }, {}, /does not offer encryption by STARTTLS/],
  ['has a certificate of an unknown authority', {}, { authorities: null }, /cannot be secured/],
  [
    'refuses the password',
    {},
    { user: 'plimsoll', password: 'wrong' },
    /does not accept the user name and password/,
  ],
] as const)('sends nothing if the server %s, and says so', async (_name, options, settings, words) => {
  const { mailer, messages } = await serve(
    { ...options, disabledCommands: [...('disabledCommands' in options ? options.disabledCommands : [])] },
    settings,
  );
  expect(await mailer.send(mail)).toMatchObject({ kind: 'failed', reason: expect.stringMatching(words) });
  expect(messages).toEqual([]);
});

it('reports the recipients that the server refuses, and that it refuses all', async () => {
  const { mailer } = await serve({
    onRcptTo({ address }, _session, callback) {
      callback(
        address === 'gone@example.org'
          ? Object.assign(new Error('no such user'), { responseCode: 550 })
          : null,
      );
    },
  });
  const some = await mailer.send({ ...mail, to: ['ops@example.org', 'gone@example.org'] });
  expect(some).toMatchObject({ kind: 'accepted', refused: ['gone@example.org'] });
  expect(await mailer.send({ ...mail, to: ['gone@example.org'] })).toMatchObject({
    kind: 'failed',
    status: 550,
    reason: expect.stringMatching(/all recipients.*no such user/),
  });
});

it('says that nothing listens there', async () => {
  const { mailer } = await serve({});
  await new Promise<void>((resolve) => server?.close(() => resolve()));
  server = null;
  expect(await mailer.send(mail)).toMatchObject({
    kind: 'failed',
    reason: expect.stringMatching(/refuses connections/),
  });
});
