/** The parts of the Trusted Types API that are used; not every browser has it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

/**
 * Lets code empty an element, as the announcer of React Aria does, and no code set other HTML: the policy `default` is the
 * only one that the Content-Security-Policy of the dashboard allows. Without it, browsers refuse both.
 */
export function refuseHtml(): void {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', { createHTML: (text) => (text === '' ? text : null) });
}
