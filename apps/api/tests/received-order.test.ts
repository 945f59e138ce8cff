import type { UploadId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianPackage } from './debian-fleet.ts';
import { parseAndMatch } from './pipeline.ts';
import { sampleSnapshot } from './sample-snapshot.ts';

const api = apiPerFile();
let host: EnrolledHost;
beforeAll(async () => {
  host = await enrol(api, { hostname: 'web', autoApprove: true });
});

const query = async <Row extends object>(sql: string) =>
  (await api.database.db.pool.query<Row>(sql, [host.id])).rows[0];

async function send(...versions: readonly string[]): Promise<void> {
  const packages = versions.map((version, index) => debianPackage(`package-${index}`, version));
  const answer = await uploadBytes(api, host, sampleSnapshot({ packages, packageCount: packages.length }));
  expect([200, 202]).toContain(answer.status);
}

/** Sends a report that must wait for another transaction of its host; resolves to when that one ended. */
async function sendWaiting(...versions: readonly string[]): Promise<Date> {
  const other = await api.database.db.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM host_contacts WHERE host_id = $1 FOR NO KEY UPDATE', [host.id]);
    const sending = send(...versions);
    await waitFor('the report to wait', async () => {
      const { rows } = await other.query("SELECT FROM pg_locks WHERE pg_blocking_pids(pid) <> '{}'");
      return rows.length > 0;
    });
    const { rows } = await other.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    await other.query('COMMIT');
    await sending;
    return rows[0]?.at ?? new Date(0);
  } finally {
    other.release(true);
  }
}

const contact = () =>
  query<{ lastSeenAt: Date; lastConfirmedAt: Date }>(
    `SELECT last_seen_at AS "lastSeenAt", last_confirmed_at AS "lastConfirmedAt" FROM host_contacts WHERE host_id = $1`,
  );
const newest = () =>
  query<{ receivedAt: Date; state: string; snapshotAt: Date | null }>(
    `SELECT u.received_at AS "receivedAt", u.state, s.received_at AS "snapshotAt"
     FROM uploads u LEFT JOIN snapshots s ON s.id = u.id WHERE u.host_id = $1 ORDER BY u.sequence DESC LIMIT 1`,
  );

describe('a report counts as received after those of its host that came before it in their order', () => {
  it('if its packages are not known', async () => {
    await send('1', '1');
    const free = await sendWaiting('1', '2');
    const upload = await newest();
    expect(upload?.state).toBe('received');
    expect(upload?.receivedAt.getTime()).toBeGreaterThanOrEqual(free.getTime());
    expect((await contact())?.lastSeenAt).toEqual(upload?.receivedAt);
  });

  it('if everything in it is known', async () => {
    const { rows } = await api.database.db.pool.query<{ id: UploadId }>('SELECT id FROM uploads');
    await parseAndMatch(
      api.database,
      rows.map(({ id }) => id),
    );
    const free = await sendWaiting('1', '1');
    const upload = await newest();
    expect(upload?.state).toBe('parsed');
    expect(upload?.receivedAt.getTime()).toBeGreaterThanOrEqual(free.getTime());
    expect(upload?.snapshotAt).toEqual(upload?.receivedAt);
    expect(await contact()).toEqual({
      lastSeenAt: upload?.receivedAt,
      lastConfirmedAt: upload?.receivedAt,
    });
  });

  it('if nothing in it changed', async () => {
    const before = await newest();
    const free = await sendWaiting('1', '1');
    expect(await newest()).toEqual(before);
    const { lastSeenAt, lastConfirmedAt } = (await contact()) ?? {};
    expect(lastSeenAt?.getTime()).toBeGreaterThanOrEqual(free.getTime());
    expect(lastConfirmedAt).toEqual(lastSeenAt);
  });
});
