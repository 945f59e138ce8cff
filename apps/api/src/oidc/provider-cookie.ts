import { parseCookie, stringifySetCookie } from 'cookie';
import { createTextSeal } from '../http/text-seal.ts';

/** Keeps in the browser that the provider has signed it in, with the ID token that ends the provider's session. */
export interface ProviderCookie {
  /** The header that stores it. */
  keep(idToken: string, origin: string): string;
  /** The header that removes it. */
  drop(origin: string): string;
  /** Null: the provider has not signed this browser in. Without `idToken`: it was too long for a cookie. */
  read(header: string | undefined): { readonly idToken: string | null } | null;
}

const name = 'plimsoll_provider';
const path = '/api/v1/auth/oidc/logout';
/** Browsers store cookies of up to 4096 bytes, name and attributes included (RFC 6265, section 6.1). */
const longestValue = 3800;

/** A cookie with a key derived from the secret that signs the users' tokens. It ends with the browser. */
export function createProviderCookie(secret: string): ProviderCookie {
  const { seal, open } = createTextSeal(secret, 'plimsoll session of the provider');
  const header = (value: string, origin: string, maxAge: { maxAge?: number }) =>
    stringifySetCookie({
      name,
      value,
      httpOnly: true,
      sameSite: 'strict',
      secure: origin.startsWith('https:'),
      path,
      ...maxAge,
    });
  return {
    keep(idToken, origin) {
      const sealed = seal(idToken);
      return header(sealed.length > longestValue ? seal('') : sealed, origin, {});
    },
    drop: (origin) => header('', origin, { maxAge: 0 }),
    read(sent) {
      const idToken = open(parseCookie(sent ?? '')[name] ?? '');
      return idToken === null ? null : { idToken: idToken === '' ? null : idToken };
    },
  };
}
