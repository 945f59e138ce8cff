import { z } from 'zod';

const maxCharacters = 253;
const maxLabelCharacters = 63;

/**
 * The address of a host: a DNS name (RFC 1123, also with `_`, which some networks use), an IPv4 or an IPv6 address.
 * Drops the dot at the end of a name and the brackets around an IPv6 address and changes nothing else, so the shown
 * address is the connected one.
 */
export const hostname = z
  .string()
  .superRefine((text, context) => {
    const fault = hostnameFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  })
  .transform(bare)
  .meta({ maxLength: maxCharacters, description: 'A DNS name, an IPv4 or an IPv6 address.' });

/** Returns why a text cannot be a hostname, or null. */
export function hostnameFault(text: string): string | null {
  const fault = faults.find(({ has }) => has(text));
  if (fault !== undefined) return fault.says;
  const name = bare(text);
  if (name.includes(':')) return isIpv6(name) ? null : 'is not a valid IPv6 address';
  return nameFault(name.split('.'));
}

/** Common mistakes in hostnames, the most specific first. */
const faults: readonly { readonly has: (text: string) => boolean; readonly says: string }[] = [
  { has: (text) => text === '', says: 'must not be empty' },
  { has: (text) => bare(text).length > maxCharacters, says: `must have at most ${maxCharacters} characters` },
  {
    has: (text) => /[\p{Cc}\p{Cs}\p{Z}]/u.test(text),
    says: 'must not contain spaces or control characters',
  },
  { has: (text) => text.includes('://'), says: 'must be a name or an address, not a URL' },
  {
    has: (text) => text.includes('@'),
    says: 'must be a name or an address alone: the user belongs into ssh_user',
  },
  { has: (text) => text.startsWith('-'), says: 'must not begin with "-"' },
  { has: (text) => text.includes(':') && text.includes('%'), says: 'must not have a zone id ("%…")' },
  {
    has: (text) => /^([^:]*|\[[^\]]*\]):\d*$/.test(text),
    says: 'must be a name or an address alone: the port belongs into port',
  },
  {
    has: (text) => /[^\0-\x7f]/.test(text),
    says: 'must be ASCII: write an international name in its form that begins with "xn--"',
  },
  {
    has: (text) => !/^([\w.-]+|[\da-f:.]+|\[[\da-f:.]*:[\da-f:.]*\])$/i.test(text),
    says: 'must be a DNS name of letters, digits, "-", "_" and dots, an IPv4 or an IPv6 address',
  },
];

function bare(text: string): string {
  if (text.startsWith('[') && text.endsWith(']')) return text.slice(1, -1);
  return text.endsWith('.') && !text.includes(':') ? text.slice(0, -1) : text;
}

function isIpv6(text: string): boolean {
  return URL.canParse(`http://[${text}]`);
}

function nameFault(labels: readonly string[]): string | null {
  if (labels.includes('')) return 'must not have two dots in a row, or one in front';
  if (labels.some((label) => label.length > maxLabelCharacters)) {
    return `must have at most ${maxLabelCharacters} characters between two dots`;
  }
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return 'must not have "-" beside a dot or at the end';
  }
  // Resolvers read 127.1, 2130706433 and 0x7f.0.0.1 as addresses; an address must be written in full.
  const endsInNumber = /^(\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '');
  if (!endsInNumber || isIpv4(labels)) return null;
  return 'ends in a number, as only an IPv4 address may, and is not a valid one';
}

function isIpv4(labels: readonly string[]): boolean {
  return (
    labels.length === 4 && labels.every((label) => /^(0|[1-9]\d{0,2})$/.test(label) && Number(label) <= 255)
  );
}
