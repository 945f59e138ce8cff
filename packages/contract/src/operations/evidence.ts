import { z } from 'zod';
import { evidenceKeySchema, evidenceQuerySchema, zipType } from '../evidence.ts';
import { file, json, operationsFor } from '../operation.ts';

const { forViewers, forAdmins } = operationsFor('evidence');

/** Signed evidence for auditors. */
export const evidenceOperations = {
  makeEvidence: forViewers('get', '/api/v1/evidence', {
    summary: 'A signed zip about one host, CVE or tag in a period: JSON, CSV and a page to print',
    recent: true,
    keyWithoutProof:
      'It changes nothing, scripts make packs on a schedule, and the pack and the audit log name the key.',
    heavy: true,
    query: evidenceQuerySchema,
    readAudit: 'data.exported',
    responses: {
      200: file(zipType, 'The archive. Its manifest has the SHA-256 of each file and is signed by Ed25519.'),
    },
    errors: ['not_found', 'unavailable'],
  }),
  listEvidenceKeys: forViewers('get', '/api/v1/evidence/keys', {
    summary: 'The keys that sign evidence packs, and those that did; the newest first',
    responses: { 200: json(z.array(evidenceKeySchema), 'The public halves; empty before the first pack.') },
  }),
  createEvidenceKey: forAdmins('post', '/api/v1/evidence/keys', {
    summary: 'Sign evidence packs with a new key from now on',
    recent: true,
    audit: ['evidence_key.created'],
    responses: { 201: json(evidenceKeySchema, 'The new key. Packs that the old one signed stay valid.') },
  }),
} as const;
