import { commonPasswordFault, type PasswordOwner } from '@plimsoll/contract';
import { validationFailed } from '../http/request-fields.ts';

/** Throws `validation_failed` for a new password that is easily guessed; `field` is its place in the body. */
export function requireGoodPassword(
  password: string,
  owner: PasswordOwner,
  field: 'password' | 'new_password' = 'password',
): void {
  const fault = commonPasswordFault(password, owner);
  if (fault !== null) throw validationFailed([{ pointer: `/${field}`, detail: fault }]);
}
