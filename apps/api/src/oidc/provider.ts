import { isJsonObject, type JsonObject } from '@plimsoll/model';
import * as client from 'openid-client';
import type { OidcSettings } from './oidc-settings.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { type ProvidedClaims, readClaims } from './provided-claims.ts';
import { createProviderFetch } from './provider-fetch.ts';
import { lineOf, SignInRefused } from './sign-in-refused.ts';

/** Seconds for one request to the provider. */
const requestSeconds = 10;
/** How long the provider's own description is used; its keys are read at every sign-in. */
const descriptionMs = 10 * 60_000;

/** A user whom the provider has authenticated. */
export interface ProvidedUser extends ProvidedClaims {
  /** The signed statement of the provider, for ending the provider's session. */
  readonly idToken: string;
  /** When the user proved itself to the provider; null: the provider does not say. */
  readonly authenticatedAt: Date | null;
  /** The provider's session; null: it names none. */
  readonly providerSession: string | null;
}

/** Secrets of a pending sign-in that go to the provider. */
type Checks = Pick<PendingSignIn, 'state' | 'nonce' | 'verifier' | 'again'>;

/** The OpenID Connect provider. All calls throw SignInRefused. */
export interface OidcProvider {
  /** The page of the provider to which the browser goes. */
  signInUrl(checks: Checks, redirectUri: string): Promise<URL>;
  /**
   * Exchanges the code of an answer for the user. Checks state, issuer, signature, audience, times and nonce.
   * @param answer the address of the callback with its query, as the browser requested it.
   */
  redeem(answer: URL, checks: Checks): Promise<ProvidedUser>;
  /** The page that ends the provider's session; null: the provider has none. */
  signOutUrl(idToken: string | null, returnTo: string): Promise<URL | null>;
}

/** New values for a sign-in: 256 random bits each. */
export function newChecks(): Pick<Checks, 'state' | 'nonce' | 'verifier'> {
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
}

/** The provider of the settings. Connects at the first sign-in. */
export function createOidcProvider(settings: OidcSettings, clock: () => Date): OidcProvider {
  const fetch = createProviderFetch(new URL(settings.issuer), settings.authority);
  const describe = createDescription(settings, fetch, clock);
  /** A configuration for one sign-in, which reads the provider's keys anew: they change at any time. */
  const connect = async () => configurationOf(await describe(), settings, fetch);
  return {
    async signInUrl({ state, nonce, verifier, again }, redirectUri) {
      const configuration = await connect();
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      });
    },
    async redeem(answer, { state, nonce, verifier, again }) {
      const configuration = await connect();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(again ? { maxAge: 0 } : {}),
        });
        return await userOf(configuration, tokens, settings);
      } catch (error) {
        throw refusalOf(error);
      }
    },
    async signOutUrl(idToken, returnTo) {
      const configuration = await connect();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken === null ? {} : { id_token_hint: idToken }),
      });
    },
  };
}

/** Reads the provider's description, at most once at a time, and keeps it for a while. */
function createDescription(
  settings: OidcSettings,
  fetch: client.CustomFetch,
  clock: () => Date,
): () => Promise<client.ServerMetadata> {
  let known: { readonly metadata: client.ServerMetadata; readonly until: number } | null = null;
  let asked: Promise<client.ServerMetadata> | null = null;
  const ask = async (): Promise<client.ServerMetadata> => {
    try {
      const execute = executedOn(settings);
      const found = await client.discovery(
        new URL(settings.issuer),
        settings.clientId,
        undefined,
        undefined,
        { [client.customFetch]: fetch, timeout: requestSeconds, execute },
      );
      const metadata = found.serverMetadata();
      known = { metadata, until: clock().getTime() + descriptionMs };
      return metadata;
    } catch (error) {
      throw refusalOf(error);
    } finally {
      asked = null;
    }
  };
  return async () => {
    if (known !== null && known.until > clock().getTime()) return known.metadata;
    asked ??= ask();
    return asked;
  };
}

function configurationOf(
  metadata: client.ServerMetadata,
  { clientId, clientSecret, ...settings }: OidcSettings,
  fetch: client.CustomFetch,
): client.Configuration {
  const configuration = new client.Configuration(
    metadata,
    clientId,
    undefined,
    clientSecret === null ? client.None() : authenticationOf(metadata, clientSecret),
  );
  configuration[client.customFetch] = fetch;
  configuration.timeout = requestSeconds;
  for (const change of executedOn(settings)) change(configuration);
  return configuration;
}

/** Verifies signatures also where TLS would do (OpenID Connect Core 1.0, section 3.1.3.7). */
function executedOn({
  issuer,
}: Pick<OidcSettings, 'issuer'>): ((configuration: client.Configuration) => void)[] {
  // The setting accepts http for this machine only.
  const isPlain = new URL(issuer).protocol === 'http:';
  return [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])];
}

/** `client_secret_basic` is the default (RFC 8414, section 2). */
function authenticationOf(metadata: client.ServerMetadata, secret: string): client.ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);
}

async function userOf(
  configuration: client.Configuration,
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  { groupsClaim }: OidcSettings,
): Promise<ProvidedUser> {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined)
    throw new SignInRefused('provider_invalid', 'the answer has no ID token');
  const who = { issuer: claims.iss, subject: claims.sub };
  if (!isSubject(who.subject))
    throw new SignInRefused('provider_invalid', 'the subject of the ID token is too long or unprintable');
  const session = claims['sid'];
  const own = {
    idToken: tokens.id_token,
    authenticatedAt: timeIn(claims.auth_time),
    providerSession: typeof session === 'string' ? session : null,
  };
  const said = readClaims(claims, who, groupsClaim);
  if (said.groups !== null && said.email !== null) return { ...said, ...own };
  // Some providers keep ID tokens short and say more here. The ID token takes precedence.
  const { email, email_verified, ...more } = await moreClaims(configuration, tokens.access_token, claims.sub);
  // An address and its assurance belong together.
  const address = said.email === null ? { email, email_verified } : {};
  return { ...readClaims({ ...more, ...claims, ...address }, who, groupsClaim), ...own };
}

/** A time of a claim, in seconds since 1970; null for everything else. */
function timeIn(seconds: unknown): Date | null {
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds < 253_402_300_800; // the year 10000
  return isTime ? new Date(seconds * 1000) : null;
}

/** At most 255 characters (OpenID Connect Core 1.0, section 2), none of them a control character. */
function isSubject(subject: string): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(subject);
}

async function moreClaims(
  configuration: client.Configuration,
  accessToken: string,
  subject: string,
): Promise<JsonObject> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  const more: unknown = await client.fetchUserInfo(configuration, accessToken, subject);
  return isJsonObject(more) ? more : {};
}

/** Errors of the authorization endpoint (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6). */
const unreachableErrors = ['temporarily_unavailable', 'server_error'];
const deniedErrors = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];

/** The refusal for an error of the library. Its causes contain tokens, so none is kept. */
function refusalOf(error: unknown): SignInRefused {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SignInRefused) return cause;
  }
  const detail = lineOf(error);
  if (error instanceof client.AuthorizationResponseError) {
    const said = `the provider answers ${error.error}: ${error.error_description ?? 'without a description'}`;
    if (deniedErrors.includes(error.error)) return new SignInRefused('denied', lineOf(new Error(said)));
    const reason = unreachableErrors.includes(error.error) ? 'provider_unreachable' : 'provider_invalid';
    return new SignInRefused(reason, lineOf(new Error(said)));
  }
  if (error instanceof client.ResponseBodyError) {
    // The code was used before, or too late.
    if (error.error === 'invalid_grant') return new SignInRefused('expired', `${detail}: invalid_grant`);
    const said = `${detail}: ${error.error} ${error.error_description ?? ''}`;
    return new SignInRefused('provider_invalid', lineOf(new Error(said)));
  }
  return new SignInRefused('provider_invalid', detail);
}
