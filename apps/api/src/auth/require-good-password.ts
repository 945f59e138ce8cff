import { commonPasswordFault, type PasswordOwner } from '@plimsoll/contract';
import { validationFailed } from '../http/field-errors.ts';

/** Throws `validation_failed` for a chosen password that guessers try first; `field` is where the body has it. */
export function requireGoodPassword(
  password: string,
  owner: PasswordOwner,
  field: 'password' | 'new_password' = 'password',
): void {
  const fault = commonPasswordFault(password, owner);
  if (fault !== null) throw validationFailed([{ pointer: `/${field}`, detail: fault }]);
}
