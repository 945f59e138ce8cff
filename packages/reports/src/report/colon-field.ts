/** Splits `Repo-id   : baseos` into its trimmed halves; null without a colon or without text before it. */
export function splitField(text: string): { readonly name: string; readonly value: string } | null {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim();
  return name === '' ? null : { name, value: text.slice(colon + 1).trim() };
}
