import { applyCurrentRules, createHostCounter, type HostCounter, type HostToCount } from '@plimsoll/db';
import type { UploadId } from '@plimsoll/model';
import { sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import { debianRecord } from './debian-fleet.ts';
import { importOsv, parseAndMatch } from './pipeline.ts';

const api = apiPerFile();
let hostId: string;

beforeEach(async () => {
  const host = await enrol(api);
  hostId = host.id;
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-6387', 'openssh', {
      fixed: '1:9.2p1-2+deb12u3',
      cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      cves: ['CVE-2024-6387'],
    }),
  ]);
  await sendSnapshot(api, host);
});

const apply = (counter: HostCounter = createHostCounter()) =>
  applyCurrentRules(api.database.as('advisory-worker'), {
    counter,
    signal: new AbortController().signal,
  });

const host = async () => (await api.admin.get(`/api/v1/hosts/${hostId}`)).body;

/** Makes the stored data look like that of older rules without the release. */
async function forget(): Promise<void> {
  const { pool } = api.database.db;
  const verdict = { kind: 'unknown', reason: 'unsupported_release', detail: '', kernel: null };
  await pool.query('DELETE FROM package_version_advisories');
  await pool.query(
    'UPDATE package_versions SET match_name = NULL, match_key = NULL, verdict = $1, rules = 0',
    [verdict],
  );
  await pool.query('UPDATE releases SET rules = 0, ends_at = NULL');
  await pool.query('UPDATE host_state SET critical = 0');
}

describe('data judged by older rules', () => {
  it('is judged again, once', async () => {
    const before = await host();
    expect(before.critical_count).toBeGreaterThan(0);
    await forget();
    expect((await host()).critical_count).toBe(0);
    const applied = await apply();
    expect(applied).toMatchObject({ hosts: 1, resubmitted: 0 });
    expect(applied.versions).toBeGreaterThan(0);
    expect(await host()).toEqual(before);
    expect(await apply()).toEqual({ versions: 0, hosts: 0, resubmitted: 0 });
  });

  it('of a release unknown to them is parsed again under that release', async () => {
    const before = await host();
    await forget();
    const { pool } = api.database.db;
    await pool.query(`UPDATE package_versions SET digest = substring(sha256(digest) FROM 1 FOR 16)`);
    await pool.query(`WITH other AS (INSERT INTO releases (name) VALUES ('other:12.5') RETURNING id),
      a AS (UPDATE package_versions SET release_id = other.id FROM other),
      b AS (UPDATE snapshots SET release_id = other.id FROM other)
      UPDATE host_state SET release_id = other.id, judged_until = '1970-01-01' FROM other`);
    expect((await host()).coverage).toBe('none');
    expect(await apply()).toMatchObject({ hosts: 2, resubmitted: 2 });
    const { rows } = await pool.query<{ id: UploadId }>(`SELECT id FROM uploads WHERE state = 'received'`);
    expect(rows).toHaveLength(2);
    await parseAndMatch(
      api.database,
      rows.map(({ id }) => id),
    );
    const after = await host();
    expect(after.critical_count).toBe(before.critical_count);
    expect(after.last_seen_at).toBe(before.last_seen_at);
    expect(await apply()).toMatchObject({ resubmitted: 0 });
  });
});

describe('a counter', () => {
  it('keeps nothing that a rolled-back transaction counted', async () => {
    const counter = createHostCounter();
    const snapshots: HostToCount[] = [];
    await forget();
    await apply({
      count: (client, counted) => {
        snapshots.push(...counted);
        return counter.count(client, counted);
      },
    });
    expect(snapshots.length).toBeGreaterThan(0);
    const critical = async (change: string): Promise<number> => {
      const client = await api.database.db.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(`DELETE FROM version_changes; ${change}`);
        const counts = await counter.count(client, snapshots);
        return counts.reduce((sum, row) => sum + row.counts.critical, 0);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    };
    expect(await critical('DELETE FROM package_version_advisories')).toBe(0);
    expect(await critical('')).toBeGreaterThan(0);
  });

  it('stores the finding lists that a version without them did not store', async () => {
    const { pool } = api.database.db;
    const lists = async () =>
      (await pool.query('SELECT finding_list_id AS id FROM host_state WHERE snapshot_id IS NOT NULL')).rows;
    const before = await lists();
    await pool.query('UPDATE host_state SET finding_list_id = NULL');
    expect((await apply()).hosts).toBe(before.length);
    expect(await lists()).toEqual(before);
    expect((await apply()).hosts).toBe(0);
  });
});
