/**
 * Whether messages may go to an e-mail address: its domain is one of `domains`, which are in lower case, or there are none. `*.example.org` is
 * every domain below example.org, but not example.org itself.
 */
export function isPermittedAddress(address: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return domains.some((each) =>
    each.startsWith('*.') ? domain.endsWith(each.slice(1)) && domain !== each.slice(1) : domain === each,
  );
}
