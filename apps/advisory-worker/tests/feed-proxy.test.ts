import path from 'node:path';
import { createFeedAddressPolicy, proxiesOf } from '@plimsoll/outbound';
import { withProxy } from '@plimsoll/testing';
import { fetchFeed } from '../src/feeds/fetch-feed.ts';
import { closedPort, withTlsServer } from './loopback-servers.ts';
import { type Answer, withAccess } from './worker-under-test.ts';

const { signal } = new AbortController();
const unknown = { etag: null, lastModified: null };
const file: Answer = (_request, response) => response.writeHead(200).end('the file');

/** Fetches a file from a server without an address here. */
function fetch(url: string, setting: string | null, env: Readonly<Record<string, string>> = {}) {
  let fetched: Promise<unknown> = Promise.resolve();
  const routes = { addressPolicy: createFeedAddressPolicy([]), proxies: proxiesOf(setting, env) };
  return withAccess(routes, async (access, folder) => {
    const target = path.join(folder, 'feed');
    fetched = fetchFeed({ url: new URL(url), known: unknown, path: target, signal }, access);
    await fetched.catch(() => undefined);
  }).then(() => fetched);
}

describe('a proxy', () => {
  it('fetches what this server can neither resolve nor reach', async () => {
    await withProxy({ answer: file }, async ({ host, log }) => {
      await expect(fetch('http://feeds.invalid/all.zip', `http://${host}`)).resolves.toMatchObject({
        kind: 'fetched',
      });
      expect(log.asked).toEqual(['GET http://feeds.invalid/all.zip']);
    });
  });

  it.each([
    ['HTTPS_PROXY', 'https://feeds.invalid/all.zip', ['CONNECT feeds.invalid:443']],
    ['https_proxy', 'https://feeds.invalid/all.zip', ['CONNECT feeds.invalid:443']],
    ['HTTP_PROXY', 'http://feeds.invalid/all.zip', ['GET http://feeds.invalid/all.zip']],
  ])('is taken from %s, and https goes through a tunnel', async (name, url, asked) => {
    await withProxy({ answer: file }, async ({ host, log }) => {
      await fetch(url, null, { [name]: host }).catch(() => undefined);
      expect(log.asked).toEqual(asked);
    });
  });

  it('in the setting takes precedence over the environment', async () => {
    await withProxy({ answer: file }, async ({ host, log }) => {
      await fetch('http://feeds.invalid/a', `http://${host}`, { HTTP_PROXY: 'http://127.0.0.1:1' });
      expect(log.asked).toHaveLength(1);
    });
  });

  it('is the only server that gets its user name and password', async () => {
    const credentials = 'plimsoll:pä ss';
    await withProxy({ answer: file, credentials }, async ({ host, log }) => {
      const proxy = `http://plimsoll:${encodeURIComponent('pä ss')}@${host}`;
      await expect(fetch('http://feeds.invalid/a', proxy)).resolves.toMatchObject({ kind: 'fetched' });
      await expect(fetch('https://feeds.invalid/a', proxy)).rejects.toMatchObject({
        failure: 'proxy',
        message: expect.stringContaining('503'),
      });
      expect(log.asked).toHaveLength(2);
    });
  });

  it.each([
    ['http://feeds.invalid/a', ''],
    ['https://feeds.invalid/a', ''],
    ['http://feeds.invalid/a', 'plimsoll:S3cretPw@'],
    ['https://feeds.invalid/a', 'plimsoll:S3cretPw@'],
  ])('that wants another password is the cause: %s with "%s"', async (url, user) => {
    await withProxy({ answer: file, credentials: 'other:one' }, async ({ host }) => {
      const failure = await fetch(url, `http://${user}${host}`).catch((error: unknown) => error);
      expect(failure).toMatchObject({ failure: 'proxy', message: expect.stringMatching(/password/) });
      expect(String(failure)).not.toContain('S3cretPw');
    });
  });

  it.each(['http', 'https'])('that is down is the cause: %s', async (scheme) => {
    const proxy = `http://u:S3cretPw@127.0.0.1:${await closedPort()}`;
    const failure = await fetch(`${scheme}://feeds.invalid/a`, proxy).catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: 'proxy', message: expect.stringMatching(/proxy http:\/\/127/) });
    expect(String(failure)).not.toContain('S3cretPw');
  });

  it('whose name does not exist is the cause', async () => {
    await expect(fetch('https://feeds.example/a', 'http://proxy.invalid:3128')).rejects.toMatchObject({
      failure: 'proxy',
      message: expect.stringContaining('cannot be resolved'),
    });
  });

  it('of an unsupported kind such as SOCKS is the cause', async () => {
    await expect(
      fetch('https://feeds.example/a', null, { HTTPS_PROXY: 'socks5://u:S3cretPw@127.0.0.1:1' }),
    ).rejects.toMatchObject({
      failure: 'proxy',
      message: expect.stringMatching(/HTTPS_PROXY names no proxy/),
    });
  });

  it('whose password has an unencoded percent sign is the cause, and the password is not shown', async () => {
    const fetched = fetch('https://feeds.example/a', 'http://u:100%Secret@127.0.0.1:1');
    await expect(fetched).rejects.toMatchObject({
      failure: 'proxy',
      message: expect.stringMatching(/feeds\.proxy has a percent sign .* not written as %25/),
    });
    await expect(fetched).rejects.not.toMatchObject({ message: expect.stringContaining('Secret') });
  });

  it('is not the cause if the server behind it is not trusted', async () => {
    await withTlsServer('untrusted', (server) =>
      withProxy({ answer: file, tunnelPort: Number(new URL(server).port) }, async ({ host, log }) => {
        await expect(fetch('https://feeds.invalid/a', `http://${host}`)).rejects.toMatchObject({
          failure: 'tls',
        });
        expect(log.asked).toEqual(['CONNECT feeds.invalid:443']);
      }),
    );
  });

  it('does not lead to a private address of a redirect', async () => {
    const answer: Answer = (_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    await withProxy({ answer }, async ({ host, log }) => {
      await expect(fetch('http://feeds.invalid/a', `http://${host}`)).rejects.toMatchObject({
        failure: 'address_refused',
      });
      expect(log.asked).toHaveLength(1);
    });
  });

  it('is not used for this machine, so that a redirect to it is refused', async () => {
    const answer: Answer = (_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    await withProxy({ answer }, async ({ host }) => {
      await expect(fetch('http://feeds.invalid/a', `http://${host}`)).rejects.toMatchObject({
        failure: 'address_refused',
      });
    });
  });
});

describe('NO_PROXY', () => {
  const proxied = (url: string, list: string) =>
    proxiesOf('http://proxy.example:3128', { NO_PROXY: list }).proxyFor(new URL(url)) !== null;

  it.each([
    ['https://mirror.lan/a', 'mirror.lan'],
    ['https://a.mirror.lan/a', 'mirror.lan'],
    ['https://a.mirror.lan/a', '.mirror.lan'],
    ['https://a.mirror.lan/a', 'x, *.mirror.lan'],
    ['https://MIRROR.lan/a', 'Mirror.Lan'],
    ['http://mirror.lan:8080/a', 'mirror.lan:8080'],
    ['https://mirror.lan/a', 'mirror.lan:443'],
    ['http://10.1.2.3/a', '10.0.0.0/8'],
    ['http://10.1.2.3/a', '10.1.2.3'],
    ['http://[fd00::1]/a', 'fd00::/8'],
    ['http://[fd00::1]/a', 'fd00::1'],
    ['https://anything/', '*'],
    ['http://localhost:1/', ''],
    ['http://127.0.0.2/', ''],
    ['http://[::1]/', ''],
  ])('leaves %s to no proxy: %s', (url, list) => {
    expect(proxied(url, list)).toBe(false);
  });

  it.each([
    ['https://notmirror.lan/', 'mirror.lan'],
    ['https://mirror.lan.example/', 'mirror.lan'],
    ['http://mirror.lan/', 'mirror.lan:8080'],
    ['http://11.1.2.3/', '10.0.0.0/8'],
    ['http://10.1.2.3/', '10.0.0.0/99'],
    ['http://[fe00::1]/', 'fd00::/8'],
    ['https://anything/', ', ,'],
  ])('leaves %s to the proxy: %s', (url, list) => {
    expect(proxied(url, list)).toBe(true);
  });
});
