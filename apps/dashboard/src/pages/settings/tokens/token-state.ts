import type { RegistrationToken } from '@plimsoll/contract';
import type { Tone } from '@plimsoll/words';

type State = 'open' | 'used' | 'expired' | 'revoked';

/** Whether a token still enrols hosts, and if not, why; by the browser's clock. */
export function tokenState({
  revoked_at,
  expires_at,
  uses,
  max_uses,
}: Pick<RegistrationToken, 'revoked_at' | 'expires_at' | 'uses' | 'max_uses'>): State {
  if (revoked_at !== null) return 'revoked';
  if (uses >= max_uses) return 'used';
  return Date.parse(expires_at) <= Date.now() ? 'expired' : 'open';
}

/** Labels of the states. */
export const tokenStateWords: Readonly<
  Record<State, { readonly words: string; readonly tone: Tone; readonly meaning: string }>
> = {
  open: { words: 'Open', tone: 'good', meaning: 'Can be used to enrol a host.' },
  used: { words: 'Used up', tone: 'neutral', meaning: 'The maximum number of hosts is enrolled.' },
  expired: { words: 'Expired', tone: 'neutral', meaning: 'Can no longer be used.' },
  revoked: { words: 'Revoked', tone: 'neutral', meaning: 'Revoked by a user.' },
};
