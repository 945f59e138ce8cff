/** A typed code as a proof for the API: six digits are of an authenticator app, anything else is a recovery code. */
export function proofOfCode(typed: string): { readonly totp: string } | { readonly recovery_code: string } {
  const code = typed.replace(/\s/g, '');
  return /^\d{1,6}$/.test(code) ? { totp: code } : { recovery_code: code };
}
