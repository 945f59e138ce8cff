import { z } from 'zod';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { askedPage } from '../../http/page.ts';
import type { Handler } from '../operation-request.ts';

const place = z.strictObject({ at: z.iso.datetime(), id: z.string() });

/** GET /quarantine */
export const listQuarantine: Handler<'listQuarantine'> = async (request, { stores }) => {
  const { kind = null } = request.query;
  const page = askedPage(request, '/api/v1/quarantine', place);
  const after = page.after === null ? null : { at: new Date(page.after.at), id: page.after.id };
  const [found, counts] = await Promise.all([
    stores.quarantine.list(kind, { limit: page.limit + 1, after }),
    stores.quarantine.counts(),
  ]);
  const total = counts.reduce(
    (sum, entry) => (kind === null || entry.kind === kind ? sum + entry.n : sum),
    0,
  );
  const { rows, headers } = page.of(found, total, ({ at, id }) => ({ at: at.toISOString(), id }));
  const body = rows.map(({ at, hostId, ...entry }) => ({ ...entry, at: at.toISOString(), host_id: hostId }));
  return { kind: 'json', status: 200, headers, body };
};

/** POST /quarantine/uploads/retry */
export const retryUploads: Handler<'retryUploads'> = async (request, { stores }) => {
  const { body } = request;
  const ids = 'ids' in body ? body.ids : null;
  const reason = 'reason' in body ? body.reason : null;
  const retried = await stores.quarantine.retry({ ids, reason }, (uploads) => ({
    action: 'upload.retried',
    actor: auditActorOf(request),
    target: null,
    details: { uploads, reason, ids: ids ?? [] },
  }));
  return { kind: 'json', status: 200, body: { retried } };
};
