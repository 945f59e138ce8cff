import { z } from 'zod';

const unprintable = /[\p{Cc}\p{Cs}]/u;

/**
 * Text of `min` to `max` characters (code points) without control characters and unpaired surrogates; not only spaces
 * if `min` is above 0.
 */
export function text(min: number, max: number) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = [...value].length;
      const fault = unprintable.test(value)
        ? 'must not contain control characters'
        : length > max
          ? `must have at most ${max} characters`
          : length < min || (min > 0 && value.trim() === '')
            ? `must have at least ${min} ${min === 1 ? 'character that is not a space' : 'characters'}`
            : null;
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ minLength: min, maxLength: max });
}

/** A time in answers: ISO 8601, UTC, milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** A time in a query: ISO 8601 with a time zone, within the range that answers can express. */
export const queryTime = z.iso
  .datetime({ offset: true, error: 'must be a time as ISO 8601 has it, with its zone' })
  .transform((value) => new Date(value))
  .refine((time) => /^\d{4}-/.test(time.toISOString()), { error: 'must be in the years 0 to 9999 of UTC' })
  .meta({ type: 'string', format: 'date-time' });

/** An id in a path or body; opaque to clients, a UUID internally. */
export const id = z.uuid();

/** Up to 50 tags of hosts; repeated ones count once. */
export const hostTags = z
  .array(text(1, 100))
  .max(50)
  .transform((tags) => [...new Set(tags)]);

/** An address, or a network with its prefix length: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must be an address or a network such as 10.0.0.0/8',
});

/** An installed package, by its own version and that of its source. */
export const installedFields = {
  name: z.string(),
  architecture: z.string(),
  installed_version: z.string(),
  source_name: z.string(),
  source_version: z.string(),
};

/** A non-negative integer. */
export const count = z.int().min(0);

/** An integer in a query. */
export function queryInteger(min: number, max: number) {
  return z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: `must be an integer from ${min} to ${max}`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** A boolean in a query: `true`, `false`, `1` or `0`. */
export const queryFlag = z
  .string()
  .refine((value) => ['true', 'false', '1', '0'].includes(value), { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1')
  .meta({ type: 'boolean' });

/** Tags in a query: the parameter can be repeated, up to 50 times. A host needs one of them. */
export const queryTags = z
  .array(text(1, 100))
  .min(1)
  .max(50)
  .transform((tags) => [...new Set(tags)]);

/** The position where a list continues; opaque, from the `next` link of the previous page. */
const cursor = z
  .string()
  .max(2000)
  .regex(/^[A-Za-z0-9_-]+$/, { error: 'must come from a "next" link' });

/** Query parameters of paged lists. */
export const paging = {
  limit: queryInteger(1, 1000).optional(),
  cursor: cursor.optional(),
};

/** The id of a CVE in a query, in upper case. */
export const cveName = z
  .string()
  .regex(/^CVE-\d{4}-\d{4,19}$/i, { error: 'must be the id of a CVE' })
  .transform((cve) => cve.toUpperCase());
