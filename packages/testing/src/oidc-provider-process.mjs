/**
 * A real OpenID Connect provider (oidc-provider) as a process. It prints its issuer as the first line. PUT /test/setup
 * creates the provider, with another signing key each time; PUT /test/account chooses the user who signs in next.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const accounts = new Map();
let account = null;
let provider = null;
let interactions = 0;

const server = createServer((request, response) => {
  void answer(request, response).catch((error) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
// Ends with the test that started it.
process.stdin.resume().on('end', () => process.exit(0));

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://127.0.0.1');
  if (pathname === '/test/setup') {
    provider = createProvider(await bodyOf(request));
    response.end();
  } else if (pathname === '/test/account') {
    account = await bodyOf(request);
    if (account !== null) accounts.set(account.sub, account);
    response.end();
  } else if (pathname === '/test/interactions') {
    response.end(String(interactions));
  } else if (pathname.startsWith('/interaction/')) {
    interactions += 1;
    const result =
      account === null
        ? { error: 'access_denied', error_description: 'The user <b>cancelled</b>.' }
        : { login: { accountId: account.sub } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  } else {
    provider.callback()(request, response);
  }
}

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

function createProvider({ redirectUri, postLogoutUri, thinIdTokens = false, backchannelLogoutUri }) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(`http://127.0.0.1:${server.address().port}`, {
    clients: [
      {
        client_id: 'plimsoll',
        client_secret: 'a secret of the client, with % and +',
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [postLogoutUri],
        ...(backchannelLogoutUri === undefined
          ? {}
          : { backchannel_logout_uri: backchannelLogoutUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the provider'] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'offline_access', 'groups'],
    conformIdTokenClaims: thinIdTokens,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: backchannelLogoutUri !== undefined },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async findAccount(_context, sub) {
      const found = accounts.get(sub);
      return found === undefined ? undefined : { accountId: sub, claims: async () => found };
    },
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const known = session.grantIdFor(client.clientId);
      if (known !== undefined) return context.oidc.provider.Grant.find(known);
      const grant = new context.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
}
