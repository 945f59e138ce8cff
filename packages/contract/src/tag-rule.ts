import { z } from 'zod';
import { count, hostTags, id, network, queryInteger, text, timestamp } from './field-types.ts';

/** The most rules that give hosts tags. */
export const mostTagRules = 200;
/** The most tags of one rule. */
const mostRuleTags = 10;
/** The most `*` of one pattern. */
const mostWildcards = 5;

const namePattern = text(1, 253)
  .refine((pattern) => pattern.split('*').length <= mostWildcards + 1, {
    error: `must have at most ${mostWildcards} *`,
  })
  .describe(
    'A pattern of the whole name: `*` is any text, `?` one character; ignores case. It is compared with the display name and, of hosts that users added or with `trust_hosts`, with the hostname.',
  );

const system = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9._-]{0,49}(:[0-9A-Za-z][0-9A-Za-z.]{0,29})?$/, {
    error: 'must be the id of a system, with or without a version: debian, debian:12, ubuntu:22.04',
  });

const conditions = {
  name: namePattern.optional(),
  os: system
    .optional()
    .describe(
      '`debian`, or with the first parts of the version: `debian:12`, `almalinux:9`. Needs `trust_hosts`.',
    ),
  address: network
    .optional()
    .describe('The address of the host is in this network: `10.0.0.0/8`. Needs `trust_hosts`.'),
  registration_token: id.optional().describe('The host enrolled with this registration token.'),
  trust_hosts: z
    .boolean()
    .describe(
      'A host states its hostname, system and address itself. With true, what it states counts at once, also before it is approved: it can bring itself into these tags, and out of them. With false, a name counts as users gave or approved it.',
    ),
};

const newRuleSchema = z
  .strictObject({
    ...conditions,
    trust_hosts: conditions.trust_hosts.default(false),
    tags: hostTags
      .refine((tags) => tags.length > 0 && tags.length <= mostRuleTags, {
        error: `must name 1 to ${mostRuleTags} tags`,
      })
      .describe('What hosts get to which all conditions of the rule apply.'),
  })
  .superRefine(({ name, os, address, registration_token, trust_hosts }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ([name, os, address, registration_token].every((condition) => condition === undefined))
      fault('name', 'needs a condition: name, os, address or registration_token');
    const stated = os !== undefined ? 'os' : address !== undefined ? 'address' : null;
    if (stated !== null && !trust_hosts)
      fault('trust_hosts', `must be true with ${stated}: a host states this itself`);
  });

/** The rules to put in force that give hosts tags. */
export const newTagRulesSchema = z.strictObject({
  rules: z.array(newRuleSchema).max(mostTagRules).describe('All that apply to a host count.'),
});

/** A rule that gives hosts tags. */
const tagRuleSchema = z
  .strictObject({
    ...conditions,
    name: z.string().optional(),
    os: z.string().optional(),
    address: z.string().optional(),
    tags: z.array(z.string()),
  })
  .meta({ id: 'TagRule' });

/** Parsed value of a rule. */
export type TagRule = z.output<typeof tagRuleSchema>;

/** The rules in force that give hosts tags. */
export const tagRulesSchema = z
  .strictObject({
    rules: z
      .array(tagRuleSchema)
      .describe('A reader who is limited to tags sees the rules for its own, without other tags.'),
    changed_at: timestamp.nullable(),
    changed_by: z
      .string()
      .nullable()
      .describe('The name of the user; null for a reader who is limited to tags.'),
    applying: z
      .boolean()
      .describe('Whether hosts still have tags by earlier rules; a change reaches all hosts within minutes.'),
  })
  .meta({ id: 'TagRules' });

export type TagRules = z.output<typeof tagRulesSchema>;

/** What rules would change; retired hosts are not counted. */
export const tagRulePreviewSchema = z
  .strictObject({
    hosts_changed: count.describe('Hosts that would have other tags than now.'),
    rules: z
      .array(
        z.strictObject({
          hosts: count.describe('Hosts to which the rule applies.'),
        }),
      )
      .describe('In the order of the request.'),
    tags: z
      .array(
        z.strictObject({
          tag: z.string(),
          hosts: count.describe('Hosts that would have it, by rules or by hand.'),
          gain: count.describe('Hosts that would get it.'),
          lose: count.describe('Hosts that would lose it.'),
          readers: count.describe('Users and API keys that are limited to this tag, among others.'),
        }),
      )
      .describe('The tags of the rules, and those that hosts would lose.'),
  })
  .meta({ id: 'TagRulePreview' });

export type TagRulePreview = z.output<typeof tagRulePreviewSchema>;

/** Query of the tags of hosts. */
export const tagQuerySchema = z.strictObject({
  q: text(1, 100).optional().describe('A part of the tag, ignoring case.'),
  limit: queryInteger(1, 200).optional().describe('Default: 20.'),
});

/** A tag with the number of its hosts. */
export const tagCountSchema = z
  .strictObject({ tag: z.string(), hosts: count.describe('Approved hosts that the reader sees.') })
  .meta({ id: 'TagCount' });

export type TagCount = z.output<typeof tagCountSchema>;
