import { databasePerTest } from '@plimsoll/testing';
import {
  createParsedUploadStore,
  createQuarantineStore,
  createUploadStore,
  systemActor,
} from '../src/index.ts';
import { agentUpload } from './agent-upload.ts';
import { addManualHost } from './manual-host.ts';

const database = databasePerTest();

/** A host whose second report was rejected, after the first was accepted. */
async function rejectedHost(app: 'api' | 'cli') {
  const { db } = database;
  const [uploads, parsing, store] = [
    createUploadStore(db),
    createParsedUploadStore(db, 'this'),
    createQuarantineStore(database.as(app)),
  ];
  const hostId = await addManualHost(db);
  const [first, second] = [agentUpload(hostId, 'first'), agentUpload(hostId, 'second')];
  await uploads.accept(first);
  await uploads.accept(second);
  await parsing.reject(second.id, 'internal', [{ pointer: '', detail: 'It fails.' }]);
  return { uploads, parsing, store, hostId, first, second };
}

const retried = (uploads: number) =>
  ({
    action: 'upload.retried',
    actor: systemActor('test'),
    target: null,
    details: { uploads },
  }) as const;
const all = { ids: null, reason: null };

describe('quarantine', () => {
  it('lists a rejected report with its reason, and reads it again once, with an audit event', async () => {
    const { parsing, store, uploads, hostId, first, second } = await rejectedHost('cli');
    expect(await store.list(null, { limit: 10, after: null })).toMatchObject([
      { kind: 'upload', id: second.id, hostId, reason: 'internal', detail: 'It fails.', retry: 'possible' },
    ]);
    expect(await store.counts()).toEqual([{ kind: 'upload', n: 1 }]);
    expect(await store.retry({ ids: null, reason: 'rate_limited' }, retried)).toBe(0);
    expect(await store.retry(all, retried)).toBe(1);
    expect(await store.retry(all, retried)).toBe(0);
    expect(await parsing.look(second.id)).toMatchObject({ attempts: 20 });
    // Its content is the newest again, so that the content before it is not confirmed as unchanged.
    expect(await uploads.confirmUnchanged({ ...first })).toBeNull();
    expect(await uploads.confirmUnchanged({ ...second })).toBe(second.id);
    expect(await auditedDetails()).toEqual([{ uploads: 1 }]);
  });

  it('does not read again what the host has overtaken, nor what has no bytes', async () => {
    const { parsing, store, uploads, hostId, first, second } = await rejectedHost('api');
    await uploads.confirmUnchanged({ ...first });
    const stateOf = async () =>
      Object.fromEntries(
        (await store.list('upload', { limit: 10, after: null })).map((entry) => [entry.id, entry.retry]),
      );
    const third = agentUpload(hostId, 'third');
    await uploads.accept(third);
    expect(await stateOf()).toEqual({ [second.id]: 'overtaken' });
    expect(await store.retry(all, retried)).toBe(0);
    await parsing.reject(third.id, 'report_invalid', []);
    expect(await stateOf()).toEqual({ [second.id]: 'bytes_deleted', [third.id]: 'possible' });
  });

  it('tries again after an upgrade, once for each build, with an audit event', async () => {
    const { parsing, second } = await rejectedHost('api');
    const store = createQuarantineStore(database.as('report-worker'));
    expect(await store.retryOfOtherBuilds('this')).toBe(0);
    expect(await store.retryOfOtherBuilds('next')).toBe(1);
    await parsing.reject(second.id, 'report_invalid', []);
    expect(await store.retryOfOtherBuilds('third')).toBe(0);
    expect(await auditedDetails()).toEqual([{ uploads: 1, reason: 'internal', ids: [] }]);
  });
});

async function auditedDetails(): Promise<readonly unknown[]> {
  const { rows } = await database.db.pool.query<{ details: unknown }>(
    `SELECT details FROM audit_events WHERE action = 'upload.retried'`,
  );
  return rows.map(({ details }) => details);
}
