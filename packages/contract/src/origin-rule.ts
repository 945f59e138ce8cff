import { z } from 'zod';
import { count, text } from './field-types.ts';

/** The most rules of origins. */
export const mostOriginRules = 200;

/** The ids of the distributions whose packages an archive can have. */
const mirroredDistributions = [
  'debian',
  'ubuntu',
  'almalinux',
  'rocky',
  'rhel',
  'centos',
  'oracle',
  'amazon',
  'fedora',
  'suse',
  'opensuse',
] as const;

const originRuleSchema = z
  .strictObject({
    origin: text(1, 200).describe(
      "As the archive states it: `Origin` of its Release file, or rpm's vendor. In any case; the first rule for an origin and label counts.",
    ),
    label: text(1, 200)
      .optional()
      .describe(
        '`Label` of its Release file, exactly. Absent: any. A rule with a label leaves out hosts that report none, and rpm; the preview counts the origin with any label.',
      ),
    mirrors: z
      .enum(mirroredDistributions)
      .describe('The distribution whose packages it has, in the same versions.'),
    tags: z
      .array(text(1, 100))
      .min(1)
      .max(50)
      .optional()
      .describe('Only for hosts with one of these tags; absent: for all.'),
  })
  .meta({ id: 'OriginRule' });

/** What operators state of archives, in their order. */
export const originRulesSchema = z.array(originRuleSchema).max(mostOriginRules);

export type OriginRules = z.output<typeof originRulesSchema>;

/** What rules would change. */
export const originPreviewSchema = z
  .strictObject({
    rules: z.array(
      z.strictObject({
        hosts: count.describe('Hosts that have packages of this origin.'),
        packages: count.describe('Packages of this origin, by name, architecture and version.'),
        unchecked: count.describe('Those of them that have no verdict now.'),
      }),
    ),
  })
  .meta({ id: 'OriginPreview' });

export type OriginPreview = z.output<typeof originPreviewSchema>;
