import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { ContentStore } from '../content/content-store.ts';
import type { FeedLayout, ServedFile, Volume } from '../layout.ts';
import { answerFile } from './answer.ts';
import { createCertificates } from './certificates.ts';
import { Faults } from './fault.ts';
import { PublicFiles } from './public-files.ts';

/** A request to a mirror, by public address. */
export interface MirrorRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** A running mirror of all publishers. */
export interface FeedMirror {
  /** Its base address, `https://localhost:PORT/`, with files at the paths for `feeds.base_url`. */
  readonly baseUrl: string;
  /** A proxy that connects every public host to the mirror, so that public addresses work unchanged. */
  readonly proxyUrl: string;
  /** The certificate authority in PEM, which the client must trust. */
  readonly authority: string;
  readonly faults: Faults;
  /** Requests so far, oldest first. */
  readonly requests: readonly MirrorRequest[];
  /** Public hosts. */
  readonly hosts: readonly string[];
  /** Replaces or adds the file at a public address. */
  put(url: string, content: Buffer): void;
  /** Whether there is a file or a redirect at a public address. */
  has(url: string): boolean;
  stop(): Promise<void>;
}

const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to continue</body></html>';

/** Starts a mirror of the layouts on loopback, on free ports unless given. */
export async function startMirror(options: {
  readonly layouts: readonly FeedLayout[];
  /** The same for every feed, or one for each. */
  readonly volume: Volume | ((feedId: string) => Volume);
  readonly ports?: { readonly tls: number; readonly proxy: number };
}): Promise<FeedMirror> {
  const { volume, ports = { tls: 0, proxy: 0 } } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-feed-mirror-'));
  const store = new ContentStore(folder);
  const files = new PublicFiles(await filesOf(options.layouts, volume, store));
  const faults = new Faults();
  const requests: MirrorRequest[] = [];
  const certificates = createCertificates(['localhost', '127.0.0.1', ...files.hosts()]);
  const [valid, expired] = [certificates.valid, certificates.expired].map((pair) =>
    createSecureContext(pair),
  );
  const hosts = new Set(files.hosts());
  const put = (url: string, content: Buffer): void => files.put({ url, content: store.keep([content]) });

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = publicUrlOf(request, { files, hosts });
    // A mirror has the file itself where its publisher redirects.
    const url = asked?.isMirrored === true ? files.resolve(asked.url) : asked?.url;
    if (url === undefined) {
      response.writeHead(404).end();
      return;
    }
    requests.push({ url: url.href, headers: request.headers });
    const fault = faults.take(decodeURI(url.href));
    if (fault?.kind === 'status') {
      const wait = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      response.writeHead(fault.status, { 'content-type': 'text/html', ...wait }).end('<html></html>');
      return;
    }
    if (fault?.kind === 'login_page') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(loginPage);
      return;
    }
    const file = files.find(url);
    const target =
      fault?.kind === 'moved' ? fault.to : file !== null && 'redirectTo' in file ? file.redirectTo : null;
    if (target !== null) {
      const status = fault?.kind === 'moved' ? 301 : 302;
      response.writeHead(status, { location: target }).end();
    } else if (file !== null && 'content' in file) {
      const content = (asked?.isMirrored === true ? file.mirrored : undefined) ?? file.content;
      if (fault?.kind === 'changed') put(url.href, fault.content);
      await answerFile(request, response, { content, fault });
    } else answerFolder(url, files, response);
  };

  const tls = createServer(
    {
      ...certificates.valid,
      SNICallback: (host, callback) => callback(null, faults.hasExpired(host) ? expired : valid),
    },
    (request, response) => void respond(request, response),
  );
  const tlsPort = await listen(tls, ports.tls);
  const proxy = createProxy((_request, response) => void response.writeHead(405).end());
  proxy.on('connect', (_request: IncomingMessage, socket: Socket) => tunnel(socket, tlsPort));
  const proxyPort = await listen(proxy, ports.proxy);
  const closers = [closerOf(tls), closerOf(proxy)];
  return {
    baseUrl: `https://localhost:${tlsPort}/`,
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    authority: certificates.authority,
    faults,
    requests,
    hosts: files.hosts(),
    put,
    has: (url) => files.find(new URL(url)) !== null,
    async stop() {
      await Promise.all(closers.map((close) => close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The files of all layouts, made one layout after the other: each holds its records in memory meanwhile. */
async function filesOf(
  layouts: readonly FeedLayout[],
  volume: Volume | ((feedId: string) => Volume),
  store: ContentStore,
): Promise<readonly ServedFile[]> {
  const files: ServedFile[] = [];
  for (const layout of layouts) {
    const volumeOf = typeof volume === 'function' ? volume(layout.feedId) : volume;
    files.push(...(await layout.files({ volume: volumeOf, store })));
  }
  return files;
}

/** The public address of a request: by its host, else by its path below the base address. */
function publicUrlOf(
  request: IncomingMessage,
  { files, hosts }: { readonly files: PublicFiles; readonly hosts: ReadonlySet<string> },
): { readonly url: URL; readonly isMirrored: boolean } | null {
  const { headers, url = '/' } = request;
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (hosts.has(host)) return { url: new URL(url, `https://${host}`), isMirrored: false };
  const found = files.publicUrl(url);
  return found === null ? null : { url: found, isMirrored: true };
}

function answerFolder(url: URL, files: PublicFiles, response: ServerResponse): void {
  const names = url.pathname.endsWith('/') ? files.namesIn(url) : [];
  if (names.length === 0) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not Found</body></html>');
    return;
  }
  const lines = names.map((name) => `<a href="${name}">${name}</a>`);
  const page = `<html><head><title>Index of ${url.pathname}</title></head><body><pre>${lines.join('\n')}</pre></body></html>`;
  response.writeHead(200, { 'content-type': 'text/html;charset=UTF-8' }).end(page);
}

function tunnel(socket: Socket, port: number): void {
  const server = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.pipe(socket);
    socket.pipe(server);
  });
  server.on('error', () => socket.destroy());
  socket.on('error', () => server.destroy());
  socket.on('close', () => server.destroy());
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port; // A listening TCP server has an address.
}

/** Returns a function that closes the server and every connection. */
function closerOf(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  return async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}
