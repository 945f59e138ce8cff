/** Longer URLs are cut: what is shown comes from servers and settings. */
const longestShown = 300;

/**
 * An address as people and logs may see it: scheme, host, port and path. User name, password, query and fragment are left
 * out, because mirrors carry credentials in them. Text that is no URL reads `(not a URL)`.
 */
export function shownUrl(url: URL | string): string {
  if (typeof url === 'string' && !URL.canParse(url)) return '(not a URL)';
  const parsed = new URL(url);
  const shown = `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
}
