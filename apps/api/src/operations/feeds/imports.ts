import { distributionOf } from '@plimsoll/advisories';
import type { Import } from '@plimsoll/contract';
import { type AuditActor, type ImportRow, type ImportStore, newId } from '@plimsoll/db';
import { AppError, type ImportId, type Release } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { pollFor } from '../../http/poll-for.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';
import { refuseUnknownFile } from './import-format.ts';
import { inChunks } from './in-chunks.ts';

/** Imported files are stored in pieces of this size. */
const chunkBytes = 1024 * 1024;

/** POST /feeds/import */
export const importFeed: Handler<'importFeed'> = async (request, context) => {
  const { stores, queue, logger } = context;
  const { format = 'auto', release = '', complete = false, as_of: asOf = null } = request.query;
  // The contract has checked its form.
  if (release !== '' && distributionOf(release as Release) === null)
    throw validationFailed([{ pointer: '/release', detail: 'is no release that is known' }]);
  refuseAge(asOf, complete, context.clock());
  const chunks = inChunks(request.body.pieces(), chunkBytes);
  const first = await chunks.next();
  if (first.done === true) throw validationFailed([{ pointer: '', detail: 'is empty' }]);
  refuseUnknownFile(first.value);
  const id = newId<ImportId>();
  await stores.imports.create({
    id,
    format,
    origin: 'upload',
    complete,
    release,
    asOf,
  });
  try {
    await storeFile(stores.imports, id, [first.value, chunks], auditActorOf(request));
  } catch (error) {
    // If this fails too, the scheduler deletes incomplete imports.
    await stores.imports
      .discard(id)
      .catch((cause: unknown) => logger.warn({ err: cause, importId: id }, 'import not discarded'));
    throw error;
  }
  queue.ring('advisory-sync', { kind: 'import', importId: id });
  if (request.waitSeconds !== null) {
    const ended = await pollFor(() => findEnded(stores.imports, id), request.waitSeconds, request.signal);
    if (ended !== null) return { kind: 'json', status: 200, body: importAnswer(ended) };
  }
  const headers = { Location: `/api/v1/feeds/imports/${id}` };
  return { kind: 'json', status: 202, headers, body: { import_id: id, status: 'queued' } };
};

/** A partial file does not show the age of the rest. Throws `validation_failed`. */
function refuseAge(asOf: Date | null, complete: boolean, now: Date): void {
  if (asOf === null) return;
  const detail = !complete
    ? 'says something of a whole feed: send "complete=true" with it'
    : asOf.getTime() > now.getTime()
      ? 'must not be in the future'
      : null;
  if (detail !== null) throw validationFailed([{ pointer: '/as_of', detail }]);
}

/** GET /feeds/imports/{importId} */
export const getImport: Handler<'getImport'> = async ({ params }, { stores }) => {
  const found = await stores.imports.find(params.importId);
  if (found === null) throw new AppError('not_found', 'No import has this id.');
  return { kind: 'json', status: 200, body: importAnswer(found) };
};

async function storeFile(
  imports: ImportStore,
  id: ImportId,
  [first, rest]: readonly [Buffer, AsyncIterable<Buffer>],
  by: AuditActor,
): Promise<void> {
  let n = 0;
  let bytes = 0;
  const append = async (chunk: Buffer) => {
    await imports.appendChunk(id, n, chunk);
    n += 1;
    bytes += chunk.length;
  };
  await append(first);
  for await (const chunk of rest) await append(chunk);
  await imports.seal(id, bytes, by);
}

async function findEnded(imports: ImportStore, id: ImportId): Promise<ImportRow | null> {
  const found = await imports.find(id);
  return found?.state === 'done' || found?.state === 'failed' ? found : null;
}

function importAnswer(row: ImportRow): Import {
  return {
    import_id: row.id,
    status: row.state,
    records_read: row.recordsRead,
    records_changed: row.recordsChanged,
    records_rejected: row.recordsRejected,
    errors: row.errors.map(({ pointer, detail }) => ({ pointer, detail })),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}
