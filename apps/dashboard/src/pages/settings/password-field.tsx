import { TextField } from '../../design/fields.tsx';

/** A password that is chosen for somebody else, as the form's `password`. */
export function PasswordField({ label }: { readonly label: string }) {
  return (
    <TextField
      name="password"
      label={label}
      type="password"
      autoComplete="new-password"
      minLength={12}
      isRequired
      hint="At least 12 characters. Tell it to them, so that they change it under “Your account”."
    />
  );
}
