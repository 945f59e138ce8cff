/**
 * The value of a header for the user name and password in a URL (RFC 7617); null without them. A percent sign that begins
 * no encoded byte is taken as it is.
 */
export function basicAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`, 'utf8').toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
