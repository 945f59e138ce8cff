import { userRoles } from '@plimsoll/model';
import { choices, integer } from '../setting-type.ts';
import { preset } from './setting.ts';

/** Settings of how users prove who they are. */
export const authSettings = {
  'auth.second_factor_roles': preset(
    choices(userRoles),
    [],
    'Roles whose users need a second factor: an authenticator app or a passkey. Such a user without one can sign in and ' +
      'set one up, and do nothing else. Sessions from an identity provider are exempt: the provider asks for its own ' +
      'factors.',
  ),
  'auth.reauthenticate_minutes': preset(
    integer(1, 1440),
    10,
    'Minutes after signing in in which a session may change users, API keys and second factors. After that the API asks ' +
      'for the password or a second factor again.',
  ),
} as const;
