import { isIP } from 'node:net';
import { AppError } from '@plimsoll/model';

/** What passkeys belong to. */
export interface RelyingParty {
  /** A host name. A passkey works for this name alone, and is lost when the service gets another one. */
  readonly id: string;
  readonly origin: string;
}

/** The service as passkeys know it, or why it can have none. */
export type PasskeyPlace =
  | { readonly party: RelyingParty; readonly refused: null }
  | { readonly party: null; readonly refused: string };

/**
 * The place of passkeys under a public URL (the setting `api.public_url`). Never taken from a request, because its Host
 * header could name any service. Browsers offer passkeys only over https or on localhost, and never for an IP address
 * (WebAuthn Level 3, section 5.1.3).
 */
export function passkeyPlaceOf(publicUrl: string | null): PasskeyPlace {
  if (publicUrl === null) {
    return refused('the setting api.public_url is not set. A passkey belongs to the name of the service');
  }
  const { protocol, hostname, origin } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return refused(`browsers accept none for an IP address, and api.public_url is ${origin}`);
  }
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost')) {
    return refused(`browsers offer them only over https, and api.public_url is ${origin}`);
  }
  return { party: { id: hostname, origin }, refused: null };
}

function refused(why: string): PasskeyPlace {
  return { party: null, refused: `Passkeys cannot be used here: ${why}.` };
}

/** The relying party of a service that can have passkeys. Throws `conflict` with the reason otherwise. */
export function requireParty(place: PasskeyPlace): RelyingParty {
  if (place.party === null) throw new AppError('conflict', place.refused);
  return place.party;
}
