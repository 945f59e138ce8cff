import { isIP } from 'node:net';
import { isLoopbackHost, shownUrl, userRoles } from '@plimsoll/model';
import { z } from 'zod';

/** A kind of setting: what it accepts, its validation, and its conversion from and to text. */
export interface SettingType<T> {
  /** Completes the sentence "must be …", in the reference page and in mistakes. */
  readonly accepts: string;
  readonly schema: z.ZodType<T>;
  /** Reads an environment variable. Returns unreadable text unchanged, and `schema` refuses it. */
  fromText(text: string): unknown;
  /** Writes a value so that `fromText` reads the same value again. */
  toText(value: T): string;
  /** Writes a value for display, without credentials; absent if `toText` contains none. */
  toShown?(value: T): string;
  /** Whether values are paths; the loader makes them absolute. */
  readonly isPath?: true;
}

const asItIs = (text: string): unknown => text;

function textType(accepts: string, accepted: (text: string) => boolean): SettingType<string> {
  return { accepts, schema: z.string().refine(accepted), fromText: asItIs, toText: (value) => value };
}

/** A whole number from `min` to `max`, inclusive. */
export function integer(min: number, max: number): SettingType<number> {
  return {
    accepts: `a whole number from ${min} to ${max}`,
    schema: z.int().min(min).max(max),
    fromText: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
    toText: String,
  };
}

/** `true` or `false`, also in the environment. */
export function flag(): SettingType<boolean> {
  return {
    accepts: '`true` or `false`',
    schema: z.boolean(),
    fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
    toText: String,
  };
}

/** One word of a closed list. */
export function choice<const W extends string>(words: readonly [W, ...W[]]): SettingType<W> {
  return {
    accepts: `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    schema: z.enum(words),
    fromText: asItIs,
    toText: (value) => value,
  };
}

/** Words of a closed list, possibly none; separated by commas in the environment. */
export function choices<const W extends string>(words: readonly [W, ...W[]]): SettingType<readonly W[]> {
  return {
    accepts: `a list of ${words.map((word) => `\`${word}\``).join(', ')}, or nothing`,
    schema: z.array(z.enum(words)),
    fromText: (text) => (text.trim() === '' ? [] : splitList(text)),
    toText: (value) => value.join(','),
  };
}

/** A secret of at least `minBytes` bytes of UTF-8. */
export function secretText(minBytes: number): SettingType<string> {
  return textType(`text of at least ${minBytes} bytes`, (text) => Buffer.byteLength(text) >= minBytes);
}

/** A secret of at least `minLength` characters that an Authorization header can contain (RFC 6750, section 2.1). */
export function bearerText(minLength: number): SettingType<string> {
  return textType(
    `at least ${minLength} letters, digits and \`-._~+/=\``,
    (text) => /^[\w.~+/=-]+$/.test(text) && text.length >= minLength,
  );
}

/** A folder; the loader makes a relative path absolute. */
export function folder(): SettingType<string> {
  return pathType('the path of a folder');
}

/** A file; the loader makes a relative path absolute. */
export function filePath(): SettingType<string> {
  return pathType('the path of a file');
}

function pathType(accepts: string): SettingType<string> {
  const accepted = (text: string): boolean => text.length > 0 && !text.includes('\0');
  return { ...textType(accepts, accepted), isPath: true };
}

/** An e-mail address. */
export function mailAddress(): SettingType<string> {
  return textType('an e-mail address', (value) => z.email().safeParse(value).success);
}

/** An address or name to listen on. */
export function listenHost(): SettingType<string> {
  const name = /^[a-z0-9]([a-z0-9.-]{0,252})$/i;
  return textType('an IP address or a host name', (text) => isIP(text) !== 0 || name.test(text));
}

/** The name of a request header. */
export function headerName(): SettingType<string> {
  return textType('the name of a header like `X-Client-Name`', (text) => /^[a-z0-9-]{1,64}$/i.test(text));
}

/** An absolute URL with one of the schemes, stored without a trailing slash. */
export function url(schemes: readonly [string, ...string[]]): SettingType<string> {
  return {
    accepts: `a URL that starts with ${schemes.map((scheme) => `\`${scheme}://\``).join(' or ')}`,
    schema: z
      .string()
      .refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)) && URL.canParse(text))
      .transform((text) => (text.endsWith('/') ? text.slice(0, -1) : text)),
    fromText: asItIs,
    toText: (value) => value,
  };
}

/** An address of people, as RFC 9116 has it. */
export function contact(): SettingType<string> {
  const form = /^(mailto:[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+|https:\/\/[\x21-\x7e]+|tel:\+?[\d-]+)$/;
  return textType('an address that starts with `mailto:`, `https://` or `tel:`', (text) => form.test(text));
}

/**
 * A URL that is inserted into shell commands: scheme, host, port and path in characters without a meaning to a shell.
 * No user information, query or fragment. Stored without a trailing slash.
 */
export function publicUrl(): SettingType<string> {
  const plain =
    /^https?:\/\/(?:[a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(?:\/[\w.~-]+)*\/?$/i;
  return {
    accepts: 'a URL like `https://plimsoll.example.org`, without user, query or fragment',
    schema: z
      .string()
      .refine((text) => plain.test(text) && URL.canParse(text))
      .transform((text) => (text.endsWith('/') ? text.slice(0, -1) : text)),
    fromText: asItIs,
    toText: (value) => value,
    toShown: shownUrl,
  };
}

/** As `url`, for addresses that may contain credentials: only origin and path are shown. */
export function guardedUrl(schemes: readonly [string, ...string[]]): SettingType<string> {
  return { ...url(schemes), toShown: shownUrl };
}

/** A prefix for queue names in braces, so that Redis Cluster keeps all keys of a queue on one node. */
export function bracedName(): SettingType<string> {
  return textType('a word in braces, like `{plimsoll}`', (text) => /^\{[a-z0-9_-]{1,64}\}$/.test(text));
}

/** The prefix of database role names. */
export function rolePrefix(): SettingType<string> {
  return textType('a lower-case word like `plimsoll`, of at most 40 letters, digits and `_`', (text) =>
    /^[a-z_][a-z0-9_]{0,39}$/.test(text),
  );
}

/** Lower-case words like `debian-osv`; separated by commas in the environment. */
export function words(): SettingType<readonly string[]> {
  return {
    accepts: 'a list of words like `debian-osv`',
    schema: z.array(z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/)).min(1),
    fromText: splitList,
    toText: (value) => value.join(','),
  };
}

/** The issuer of an OpenID Connect provider, unchanged: the provider's tokens contain the same text. */
export function issuerUrl(): SettingType<string> {
  return textType('an `https://` URL without query (`http://` on this machine only)', (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || `${url.search}${url.hash}${url.username}${url.password}` !== '') return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  });
}

/** Text without control characters. */
export function plainText(mostCharacters: number): SettingType<string> {
  return textType(
    `text of at most ${mostCharacters} characters`,
    (text) => text.length > 0 && text.length <= mostCharacters && !/\p{C}/u.test(text),
  );
}

/** The text of a button. */
export function label(): SettingType<string> {
  return plainText(60);
}

/**
 * Domains of e-mail addresses in lower case; separated by commas in the environment. @param wildcards whether `*.example.org` may
 * be for all below it
 */
export function domains({ wildcards = false } = {}): SettingType<readonly string[]> {
  const domain = /^[a-z0-9][a-z0-9.-]{0,252}$/;
  return {
    accepts: `a list of domains like \`example.org\`${wildcards ? ' or `*.example.org`' : ''}`,
    schema: z.array(z.string().regex(wildcards ? /^(\*\.)?[a-z0-9][a-z0-9.-]{0,250}$/ : domain)),
    fromText: splitList,
    toText: (value) => value.join(','),
  };
}

/** Scopes of OAuth 2.0 (RFC 6749, section 3.3), `openid` among them; separated by commas in the environment. */
export function scopes(): SettingType<readonly string[]> {
  return {
    accepts: 'a list of scopes with `openid` among them',
    schema: z
      .array(z.string().regex(/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,200}$/))
      .refine((list) => list.includes('openid')),
    fromText: splitList,
    toText: (value) => value.join(','),
  };
}

/** A role for a group, as `GROUP=ROLE` or `GROUP=ROLE@TAG`. A group may contain `=` and `@`, a tag must not. */
const accessRule = new RegExp(
  `^[^\\p{C}]{1,500}=(?:${userRoles.join('|')}|(?!admin@)(?:${userRoles.join('|')})@[^\\p{C}@=]{1,100})$`,
  'u',
);

/**
 * Roles of groups, as `GROUP=ROLE` or `GROUP=ROLE@TAG`; in the environment separated by commas, or a JSON array if a
 * group contains a comma.
 */
export function accessRules(): SettingType<readonly string[]> {
  return {
    accepts:
      'a list of groups with roles like `patch-team=operator` or `web-team=viewer@web`; an admin has no tags. In the ' +
      'environment a JSON array if a group contains a comma',
    schema: z.array(z.string().regex(accessRule)),
    fromText: (text) => (text.startsWith('[') ? readJson(text) : splitList(text)),
    toText: (value) => (value.some((rule) => rule.includes(',')) ? JSON.stringify(value) : value.join(',')),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Feed URLs as `id=URL`, stored unchanged; comma-separated in the environment, so a URL must not contain a comma. */
export function feedUrls(): SettingType<readonly string[]> {
  return {
    accepts: 'a list of feeds with their URLs like `debian-osv=https://mirror/debian.zip`',
    schema: z.array(z.string().refine(isFeedUrl)),
    fromText: splitList,
    toText: (value) => value.join(','),
    toShown: (value) => value.map(shownFeedUrl).join(','),
  };
}

/** Days by feed, as `ID=DAYS`, or for all feeds; comma-separated in the environment. */
export function feedDays(): SettingType<readonly string[]> {
  return feedNumbers('days', ['3', 'debian-osv=8'], { least: 1, most: 3650 });
}

/** Minutes by feed, as `ID=MINUTES`, or for all feeds; comma-separated in the environment. */
export function feedMinutes(): SettingType<readonly string[]> {
  return feedNumbers('minutes', ['360', 'cisa-ssvc=1440'], { least: 5, most: 10_080 });
}

function feedNumbers(
  unit: string,
  [ofAll, ofOne]: readonly [string, string],
  { least, most }: { readonly least: number; readonly most: number },
): SettingType<readonly string[]> {
  const isEntry = (text: string) => {
    const [, digits = ''] = /^(?:[a-z0-9][a-z0-9._-]{0,99}=)?(\d{1,5})$/.exec(text) ?? [];
    return Number(digits) >= least && Number(digits) <= most;
  };
  const entries = z.array(z.union([z.string(), z.int()]).transform(String).refine(isEntry)).min(1);
  return {
    accepts:
      `a list of ${unit}, for all feeds like \`${ofAll}\` and for single ones like \`${ofOne}\`, ` +
      `each from ${least} to ${most}`,
    // One number for all feeds may be written without a list.
    schema: z.preprocess((value) => (typeof value === 'number' ? [value] : value), entries),
    fromText: splitList,
    toText: (value) => value.join(','),
  };
}

function shownFeedUrl(entry: string): string {
  const start = entry.indexOf('=') + 1;
  return entry.slice(0, start) + shownUrl(entry.slice(start));
}

function isFeedUrl(text: string): boolean {
  const [, address = ''] = /^[a-z0-9][a-z0-9._-]{0,99}=((?:https?|file):\/\/[^,]+)$/.exec(text) ?? [];
  return URL.canParse(address);
}

/** Days by repository, tag or both, as `REPOSITORY@TAG=DAYS`; comma-separated in the environment. */
export function lagExceptions(): SettingType<readonly string[]> {
  return {
    accepts: 'a list of repositories and tags with days like `noble-security=3` or `@ring-2=30`',
    schema: z.array(z.string().regex(/^(?:[^@=,]+|[^@=,]*@[^@=,]+)=[1-9]\d{0,3}$/)),
    fromText: splitList,
    toText: (value) => value.join(','),
  };
}

function splitList(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** Networks in CIDR notation or single addresses; comma-separated in the environment. */
export function networks(): SettingType<readonly string[]> {
  return {
    accepts: 'a list of IP addresses or networks like `10.0.0.0/8`; `/0` would be every address',
    schema: z.array(z.string().refine((text) => isNetwork(text) && !/\/0+$/.test(text))),
    fromText: splitList,
    toText: (value) => value.join(','),
  };
}

/**
 * Networks as in `networks`, but at most as large as the private ones, because a client inside a trusted network can
 * claim any address. `10.0.0.0/8` and `fc00::/7` (RFC 1918, RFC 4193) are the largest.
 */
export function proxies(): SettingType<readonly string[]> {
  return {
    ...networks(),
    accepts:
      'a list of IP addresses or networks like `10.0.0.0/8`; networks larger than `/8` (IPv6: `/7`) would be clients',
    schema: z.array(z.string().refine((text) => isNetwork(text) && !isWide(text))),
  };
}

function isWide(text: string): boolean {
  const [address = '', bits] = text.split('/');
  if (bits === undefined) return false;
  if (isIP(address) === 4) return Number(bits) < 8;
  // IPv4 inside IPv6, `::ffff:0:0/96` (RFC 4291, section 2.5.5.2): its last 32 bits are an IPv4 network.
  const isMapped = /^(?:0{0,4}:){1,6}(?:ffff:|:ffff:)/i.test(address) && /ffff:/i.test(address);
  return Number(bits) < (isMapped ? 104 : 7);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
