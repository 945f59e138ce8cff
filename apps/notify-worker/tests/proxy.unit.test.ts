import { createServer, type Socket } from 'node:net';
import { createChannelAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import { listening, withProxy } from '@plimsoll/testing';
import { createPoster, type PostResult } from '../src/http/post.ts';
import { startReceiver } from './receiver.ts';

/** What the name servers of this machine know; none of these is looked up anywhere else. */
const names: Readonly<Record<string, string>> = {
  'hooks.example': '93.184.216.34',
  'six.example': '2606:4700:4700::1111',
  'inside.example': '10.0.0.5',
  'own.example': '127.0.0.1',
};
const unused = () => undefined;

/** One message to a channel, through a proxy that leads every tunnel to `tunnelPort`. */
async function send(
  to: string,
  options: {
    tunnelPort?: number;
    credentials?: string;
    env?: Record<string, string>;
    allowed?: string[];
  } = {},
): Promise<{ readonly result: PostResult; readonly asked: readonly string[] }> {
  const { tunnelPort, credentials, env = {}, allowed = [] } = options;
  let done = { result: null as PostResult | null, asked: [] as readonly string[] };
  const proxy = { answer: unused, ...(tunnelPort && { tunnelPort }), ...(credentials && { credentials }) };
  await withProxy(proxy, async ({ host, log }) => {
    const user = credentials === undefined ? '' : `${credentials}@`;
    const poster = createPoster({
      policy: createChannelAddressPolicy(allowed, {
        lookup: async (name) => (names[name] === undefined ? [] : [{ address: names[name] }]),
      }),
      proxies: proxiesOf(env['HTTP_PROXY'] ?? `http://${user}${host}`, env),
      proxiedNames: ['chat.example'],
    });
    const result = await poster.post({ url: new URL(to), headers: { 'x-test': '1' }, body: '{}' });
    await poster.close();
    done = { result, asked: [...log.asked] };
  });
  if (done.result === null) throw new Error('nothing was sent');
  return { result: done.result, asked: done.asked };
}

it('reaches public servers through the proxy, which gets the address that was checked', async () => {
  const receiver = await startReceiver();
  const tunnelPort = Number(new URL(receiver.url).port);
  for (const [to, asked] of [
    ['http://hooks.example/in', 'CONNECT 93.184.216.34:80'],
    ['http://hooks.example:8080/in', 'CONNECT 93.184.216.34:8080'],
    ['http://six.example/in', 'CONNECT [2606:4700:4700::1111]:80'],
    ['http://chat.example/in', 'CONNECT chat.example:80'],
    ['http://eu.chat.example/in', 'CONNECT eu.chat.example:80'],
  ] as const) {
    const { host } = new URL(to);
    expect(await send(to, { tunnelPort, credentials: 'me:pass' })).toEqual({
      result: { kind: 'accepted', status: 200 },
      asked: [asked],
    });
    expect(receiver.received.at(-1)).toMatchObject({ body: '{}', headers: { host, 'x-test': '1' } });
    // Only the proxy gets its password.
    expect(receiver.received.at(-1)?.headers['proxy-authorization']).toBeUndefined();
  }
  await receiver.stop();
});

it('secures connections for the name of the channel, and not for the address', async () => {
  const hellos: string[] = [];
  const server = createServer((socket: Socket) => {
    socket.on('error', unused).once('data', (hello) => {
      hellos.push(hello.toString('latin1'));
      socket.destroy();
    });
  });
  await listening(server, async (tunnelPort) => {
    const { result, asked } = await send('https://hooks.example/in', { tunnelPort });
    expect(asked).toEqual(['CONNECT 93.184.216.34:443']);
    expect(result.kind).toBe('failed');
  });
  expect(hellos).toEqual([expect.stringContaining('hooks.example')]);
});

it.each([
  ['http://inside.example/', /10\.0\.0\.5, which is not a public address/],
  ['http://169.254.169.254/latest', /not a public address/],
  ['http://[::ffff:10.0.0.5]/', /not a public address/],
  ['http://127.0.0.1:1/', /not a public address/],
  ['http://own.example:1/', /not a public address/],
  ['http://unknown.example/', /no address/],
])('asks no proxy for %s', async (to, reason) => {
  const { result, asked } = await send(to, { tunnelPort: 1 });
  expect(result).toMatchObject({ kind: 'failed', status: null, reason: expect.stringMatching(reason) });
  expect(asked).toEqual([]);
});

it('reaches allowed private servers, and those in NO_PROXY, directly', async () => {
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const allowed = ['127.0.0.0/8'];
  const env = { NO_PROXY: 'own.example' };
  for (const options of [{ allowed }, { allowed, env }])
    expect(await send(`http://own.example:${port}/in`, options)).toEqual({
      result: { kind: 'accepted', status: 200 },
      asked: [],
    });
  await receiver.stop();
});

it.each([
  [
    'refused the connection',
    {},
    /proxy http:\/\/127\.0\.0\.1:\d+ refused the connection to hooks\.example \(503\)/,
  ],
  [
    'is down',
    { env: { HTTP_PROXY: 'http://u:S3cretPw@127.0.0.1:1' } },
    /proxy http:\/\/127\.0\.0\.1:1 cannot be reached/,
  ],
  ['is of another kind', { env: { HTTP_PROXY: 'socks5://u:S3cretPw@127.0.0.1:1' } }, /names no proxy/],
])('says that the proxy %s', async (_what, options, reason) => {
  const { result } = await send('http://hooks.example/in', options);
  expect(result).toMatchObject({ kind: 'failed', status: null, reason: expect.stringMatching(reason) });
  expect(JSON.stringify(result)).not.toContain('S3cretPw');
});
