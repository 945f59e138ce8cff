import { parseEmail } from '@plimsoll/contract';
import { isJsonObject, type JsonObject } from '@plimsoll/model';

/** What the provider says about a user, checked for form only. */
export interface ProvidedClaims {
  readonly issuer: string;
  /** Identifies the user at the issuer for ever. */
  readonly subject: string;
  /** In lower case; null: none, or none of the right form. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** Empty: none. */
  readonly name: string;
  /** Null: the provider says nothing about groups. */
  readonly groups: readonly string[] | null;
}

const longestName = 200;
const mostGroups = 5000;

/** Reads the claims of a user. `preferred_username` stands in for a missing e-mail address if it has the form of one. */
export function readClaims(
  claims: JsonObject,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
  groupsClaim: string,
): ProvidedClaims {
  const own = emailIn(claims['email']);
  return {
    issuer,
    subject,
    email: own ?? emailIn(claims['preferred_username']) ?? emailIn(claims['upn']),
    // Only true is an assurance; some providers send the text.
    emailVerified: own !== null && (claims['email_verified'] === true || claims['email_verified'] === 'true'),
    name: nameIn(claims),
    groups: groupsIn(claimAt(claims, groupsClaim)),
  };
}

function emailIn(value: unknown): string | null {
  return typeof value === 'string' ? parseEmail(value) : null;
}

function nameIn(claims: JsonObject): string {
  const parts = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string');
  const name = [claims['name'], parts.join(' '), claims['preferred_username']].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  if (typeof name !== 'string') return '';
  return [...name.replace(/\p{C}/gu, '').trim()].slice(0, longestName).join('');
}

/** The claim of a name, or the one at a path of names with dots between them. */
export function claimAt(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function groupsIn(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return null;
  return value.slice(0, mostGroups).filter((group) => typeof group === 'string');
}
