import type { EvidenceKeyAnswer } from '@plimsoll/contract';
import type { EvidenceKey } from '@plimsoll/db';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { Handler } from '../operation-request.ts';

/** GET /evidence/keys */
export const listEvidenceKeys: Handler<'listEvidenceKeys'> = async (_request, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.evidenceKeys.list()).map(keyAnswer),
});

/** POST /evidence/keys */
export const createEvidenceKey: Handler<'createEvidenceKey'> = async (
  request,
  { stores, evidenceSecrets },
) => {
  const key = await stores.evidenceKeys.replace(evidenceSecrets.make(), auditActorOf(request));
  return { kind: 'json', status: 201, body: keyAnswer(key) };
};

function keyAnswer({
  fingerprint,
  publicBytes,
  createdAt,
  createdBy,
  retiredAt,
}: EvidenceKey): EvidenceKeyAnswer {
  return {
    fingerprint,
    algorithm: 'Ed25519',
    public_key: Buffer.from(publicBytes).toString('base64'),
    created_at: createdAt.toISOString(),
    created_by: createdBy,
    retired_at: retiredAt?.toISOString() ?? null,
  };
}
