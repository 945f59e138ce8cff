import { z } from 'zod';
import { cveName, id, queryTime, text, timestamp } from './field-types.ts';

/** The content type of an evidence pack. */
export const zipType = 'application/zip';

/** Which evidence is asked for: of one host, one CVE or one tag, in a period. */
export const evidenceQuerySchema = z.strictObject({
  host: id.optional(),
  cve: cveName.optional(),
  tag: text(1, 100).optional(),
  from: queryTime.describe('The start of the period.'),
  to: queryTime.optional().describe('Its end; default: now.'),
});

export type EvidenceQuery = z.output<typeof evidenceQuerySchema>;

/** A key that signs evidence packs, or did. */
export const evidenceKeySchema = z
  .strictObject({
    fingerprint: z.string().describe('SHA256: and the SHA-256 of the public key in base64.'),
    algorithm: z.literal('Ed25519'),
    public_key: z.string().describe('Its 32 bytes in base64.'),
    created_at: timestamp,
    created_by: z.string().nullable().describe('null: the service made it for the first pack.'),
    retired_at: timestamp.nullable().describe('null: new packs are signed by it.'),
  })
  .meta({ id: 'EvidenceKey' });

export type EvidenceKeyAnswer = z.output<typeof evidenceKeySchema>;
