import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import type { OidcSettings } from '../../src/oidc/oidc-settings.ts';

/** The claims of an ID token. */
export type Claims = Record<string, unknown>;

/** What the provider does instead of the right thing. */
export interface Lies {
  /** Changes of its description. */
  readonly description?: Record<string, unknown>;
  /** Changes of the claims of an ID token. */
  readonly claims?: (claims: Claims) => Claims;
  /** Signs an ID token; otherwise RS256 with the published key. */
  readonly sign?: (claims: Claims, keys: ProviderKeys) => string;
  /** Keys that it publishes. */
  readonly keys?: (keys: ProviderKeys) => readonly object[];
  /** Answers of paths, in place of the right ones. */
  readonly answers?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;
  /** Further parameters of the callback, or other values of the usual ones; null removes one. */
  readonly callback?: Readonly<Record<string, string | null>>;
}

/** Keys for signing. */
export interface ProviderKeys {
  readonly own: KeyObject;
  readonly publicPem: string;
  /** Not published. */
  readonly other: KeyObject;
}

/** A provider that lies as told. */
export interface LyingProvider {
  readonly issuer: string;
  /** Lies from now on. */
  lie(lies: Lies): void;
  /** The ID token that was given last. */
  lastIdToken(): string;
  /** Signs claims with the published key. */
  sign(claims: Claims): string;
  /** The number of requests to a path since the last `lie`. */
  asked(path: string): number;
  stop(): Promise<void>;
}

const keyId = 'first';

/** Starts a provider on a free port. It signs every browser in as the same user. */
export async function startLyingProvider({
  clientId,
  groupsClaim,
}: Pick<OidcSettings, 'clientId' | 'groupsClaim'>): Promise<LyingProvider> {
  const keys = newKeys();
  const nonces = new Map<string, string>();
  const asked = new Map<string, number>();
  let lies: Lies = {};
  let last = '';
  let issuer = '';
  const signRight = (claims: Claims) => jwt.sign(claims, keys.own, { algorithm: 'RS256', keyid: keyId });
  const tokenFor = (code: string): string => {
    const now = Math.floor(Date.now() / 1000);
    const right = {
      iss: issuer,
      sub: 'mallory',
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: nonces.get(code),
      email: 'mallory@example.org',
      email_verified: true,
      [groupsClaim]: ['web-team'],
    };
    const claims = lies.claims?.(right) ?? right;
    last = lies.sign?.(claims, keys) ?? signRight(claims);
    return last;
  };
  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    '/.well-known/openid-configuration': (_, response) =>
      json(response, { ...descriptionOf(issuer), ...lies.description }),
    '/authorize': (request, response) => {
      const asking = new URL(request.url ?? '', issuer).searchParams;
      const code = `code-${nonces.size}`;
      nonces.set(code, asking.get('nonce') ?? '');
      const back = new URL(asking.get('redirect_uri') ?? '');
      const values = { code, state: asking.get('state'), iss: issuer, ...lies.callback };
      for (const [name, value] of Object.entries(values))
        if (value !== null) back.searchParams.set(name, value);
      response.writeHead(303, { location: back.href }).end();
    },
    '/token': async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const code = new URLSearchParams(Buffer.concat(pieces).toString()).get('code') ?? '';
      json(response, { access_token: 'an access token', token_type: 'Bearer', id_token: tokenFor(code) });
    },
    '/keys': (_, response) => {
      const jwk = {
        ...keys.own.export({ format: 'jwk' }),
        d: undefined,
        p: undefined,
        q: undefined,
        dp: undefined,
        dq: undefined,
        qi: undefined,
      };
      json(response, { keys: lies.keys?.(keys) ?? [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }] });
    },
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
    const answer = lies.answers?.[pathname] ?? routes[pathname];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on TCP
  return {
    issuer,
    lie(next) {
      lies = next;
      asked.clear();
    },
    lastIdToken: () => last,
    sign: signRight,
    asked: (path) => asked.get(path) ?? 0,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function newKeys(): ProviderKeys {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    own: own.privateKey,
    publicPem: own.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    other: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  };
}

function descriptionOf(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Answers with JSON. */
export function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A token of which header and signature are made as told: libraries refuse to make such ones. */
export function forge(header: object, claims: Claims, secret: string | null): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode(header)}.${encode(claims)}`;
  const signature = secret === null ? '' : createHmac('sha256', secret).update(text).digest('base64url');
  return `${text}.${signature}`;
}
