/** Longer URLs are cut, because they come from servers and settings. */
const longestShown = 300;

/**
 * Returns an address for people and logs: scheme, host, port and path. Omits user name, password, query and fragment,
 * because mirror URLs can contain credentials. Returns `(not a URL)` for other text.
 */
export function shownUrl(url: URL | string): string {
  if (typeof url === 'string' && !URL.canParse(url)) return '(not a URL)';
  const parsed = new URL(url);
  const shown = `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
}
