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
async function rejectedHost() {
  const { db } = database;
  const [uploads, parsing, store] = [
    createUploadStore(db),
    createParsedUploadStore(db),
    createQuarantineStore(db),
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
    const { parsing, store, uploads, hostId, first, second } = await rejectedHost();
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
    const { rows } = await database.db.pool.query<{ details: unknown }>(
      `SELECT details FROM audit_events WHERE action = 'upload.retried'`,
    );
    expect(rows).toEqual([{ details: { uploads: 1 } }]);
  });

  it('does not read again what the host has overtaken, nor what has no bytes', async () => {
    const { parsing, store, uploads, hostId, first, second } = await rejectedHost();
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

  it('tries again after an upgrade, once for each version', async () => {
    const { parsing, store, second } = await rejectedHost();
    expect(await store.retryOfOtherVersions((await ownVersion(second.id)) ?? '')).toBe(0);
    expect(await store.retryOfOtherVersions('999.0.0')).toBe(1);
    await parsing.reject(second.id, 'report_invalid', []);
    expect(await store.retryOfOtherVersions('999.0.0')).toBe(0);
  });
});

async function ownVersion(id: string): Promise<string | null> {
  const { rows } = await database.db.pool.query<{ version: string | null }>(
    'SELECT rejected_by AS version FROM uploads WHERE id = $1',
    [id],
  );
  return rows[0]?.version ?? null;
}
