import { TextField } from '../../../design/form/fields.tsx';

/** The password of another user; form field `password`. */
export function PasswordField({ label }: { readonly label: string }) {
  return (
    <TextField
      name="password"
      label={label}
      type="password"
      autoComplete="new-password"
      minLength={12}
      isRequired
      hint="At least 12 characters. The user should change it at first sign-in, under “Your account”."
    />
  );
}
