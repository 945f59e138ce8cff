import { TextField } from '../../design/form/fields.tsx';

/** A new password, twice. `newPassword` reads them. */
export function NewPasswordFields() {
  return (
    <>
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        isRequired
        hint="At least 12 characters. Common passwords and your own name are refused."
      />
      <TextField
        name="repeated"
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        isRequired
      />
    </>
  );
}

/** The new password of a form with these fields. Throws if the two differ. */
export function newPassword(values: FormData): string {
  const password = String(values.get('password'));
  if (password !== values.get('repeated')) throw new Error('The passwords do not match.');
  return password;
}
