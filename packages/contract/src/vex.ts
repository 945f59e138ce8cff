import { vexRejections, waiverKinds } from '@plimsoll/model';
import { z } from 'zod';
import { count, cveName, id, queryFlag, queryTags, queryTime, text } from './field-types.ts';

/** Formats of VEX documents. */
export const vexFormatNames = ['openvex', 'cyclonedx', 'csaf'] as const;

/** Which hosts and vulnerabilities a VEX document is about. */
export const vexQuerySchema = z.strictObject({
  format: z.enum(vexFormatNames),
  tag: text(1, 100).optional().describe('Only approved hosts with this tag.'),
  cve: cveName.optional().describe('Only this CVE.'),
});

/** Where the statements of a document hold, and until when. */
export const vexImportQuerySchema = z.strictObject({
  all_hosts: z.literal('true').optional().describe('On the whole fleet; or else `tag` or `host`.'),
  tag: queryTags.optional().describe('On hosts with one of these tags; the parameter can be repeated.'),
  host: z
    .array(id)
    .min(1)
    .max(200)
    .transform((all) => [...new Set(all)])
    .optional()
    .describe('On these hosts; the parameter can be repeated.'),
  expires_at: queryTime.describe('The end of the waivers: in the future, at most 366 days ahead.'),
  check_only: queryFlag.optional().describe('Creates none, and says what would be created.'),
});

const importedWaiverSchema = z
  .strictObject({
    id: id.nullable().describe('null with `check_only`.'),
    kind: z.enum(waiverKinds),
    advisories: z.array(z.string()),
    purls: z.array(z.string()),
    hosts: z.array(id),
    tags: z.array(z.string()),
    all_hosts: z.boolean(),
    reason: z.string(),
    statements: count.describe('The statements of the document that it stands for.'),
    matched_findings: count.describe('As in a waiver.'),
    matched_hosts: count,
  })
  .meta({ id: 'ImportedWaiver' });

const rejectedStatementSchema = z
  .strictObject({
    pointer: z.string().describe('Where it is in the document (RFC 6901).'),
    vulnerability: z.string(),
    product: z.string().describe('As the document names it.'),
    reason: z
      .enum(vexRejections)
      .describe(
        'affected, under_investigation: it waives nothing; a risk is accepted by a person. fixed_without_version: it does not say which version has the fix. unknown_product: no purl of a deb or rpm package of a known release. within_other_product: it is about a package in a product that is none of the hosts; choose the hosts by tag or id if it is. other_host: the host that it names was not chosen. unknown_vulnerability: no feed names it. no_finding: nothing on these hosts is affected by it now.',
      ),
  })
  .meta({ id: 'RejectedStatement' });

/** What became of each statement of a VEX document. */
export const vexImportSchema = z
  .strictObject({
    format: z.enum(vexFormatNames),
    document_id: z.string(),
    statements: count.describe('One for each vulnerability and product.'),
    accepted: count.describe('Statements that waivers stand for; all others are in `rejected`.'),
    waivers: z.array(importedWaiverSchema),
    rejected: z.array(rejectedStatementSchema),
  })
  .meta({ id: 'VexImport' });

export type VexImport = z.output<typeof vexImportSchema>;
