const longestPath = 1500;
const anyOrigin = 'http://plimsoll.invalid';

/**
 * A path of the dashboard to return to, with query and fragment; `/` for everything else. Never another origin: a
 * browser reads `//host` and `/\host` as one.
 */
export function ownPath(text: string | undefined): string {
  if (text === undefined || text.length > longestPath || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/';
  if (text.includes('\\') || !URL.canParse(text, anyOrigin)) return '/';
  const url = new URL(text, anyOrigin);
  // Dots are resolved here: `/..//host` is the path `//host`.
  if (url.origin !== anyOrigin || url.pathname.startsWith('//') || url.pathname.startsWith('/api/'))
    return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
