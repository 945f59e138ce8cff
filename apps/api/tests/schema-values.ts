import { z } from 'zod';

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** Values that break careless code: of other types, too long, with control characters, at the ends of ranges. */
const hostile: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\0',
    '\u{d800}',
    '\u202e',
    '%',
    '%00',
    "' OR 1=1 --",
    '../../etc/passwd',
    '<script>',
    '{{7*7}}',
  ],
  ...[
    '__proto__',
    'constructor',
    'x'.repeat(10_000),
    '😀'.repeat(300),
    '-1',
    '1e309',
    'NaN',
    '2026-02-30T00:00:00Z',
  ],
  ...[
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00Z',
    '00000000-0000-0000-0000-000000000000',
  ],
  ...[null, true, 0, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], ['x'], { a: 1 }],
];

const words = [
  'a',
  'web',
  'db',
  'debian:12',
  'CVE-2024-6387',
  'openssh-server',
  '1.2.3-4',
  'root',
  'Größe & mehr',
];

/** A value for a schema: mostly one that it accepts, sometimes one with hostile parts. */
export function valueFor(schema: z.ZodType, random: () => number): unknown {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const textOf = ({ format, minLength = 0, maxLength = 40 }: JsonSchema): string => {
    switch (format) {
      case 'uuid':
        return `01999999-${between(1000, 9999)}-7000-8000-000000000000`;
      case 'date-time':
        return new Date(between(0, 2 ** 41)).toISOString();
      case 'email':
        return 'fuzz@example.org';
      case 'ipv4':
        return '192.0.2.1';
      case 'ipv6':
        return '2001:db8::1';
      default:
        return pick(words).padEnd(minLength, 'x').slice(0, maxLength);
    }
  };
  const make = (part: JsonSchema, depth: number): unknown => {
    if (random() < 0.1) return pick(hostile);
    if (part.$ref !== undefined)
      return make(json.$defs?.[part.$ref.split('/').at(-1) ?? ''] ?? {}, depth + 1);
    if (part.const !== undefined) return part.const;
    if (part.enum !== undefined) return pick(part.enum);
    const choices = part.anyOf ?? part.oneOf;
    if (choices !== undefined) return make(pick(choices), depth + 1);
    switch (part.type) {
      case 'object': {
        const entries = Object.entries(part.properties ?? {}).filter(
          ([name]) => part.required?.includes(name) || random() < 0.5,
        );
        return Object.fromEntries(entries.map(([name, each]) => [name, make(each, depth + 1)]));
      }
      case 'array':
        return Array.from({ length: depth > 4 ? 0 : between(0, 3) }, () => make(part.items ?? {}, depth + 1));
      case 'integer':
      case 'number':
        return between(part.minimum ?? -5, Math.min(part.maximum ?? 1000, 2 ** 31));
      case 'boolean':
        return random() < 0.5;
      case 'null':
        return null;
      case 'string':
        return textOf(part);
      default:
        return pick(hostile);
    }
  };
  return make(json, 0);
}

/** A value as text in a URL. */
export function urlText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?')).slice(0, 4_000);
}
