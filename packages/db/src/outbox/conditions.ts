import { bitsOfGaps, type NotificationEvent } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../core/database.ts';
import { judgeDue } from '../fleet/hosts/judge-due.ts';
import { isOutdated } from '../knowledge/known-exploited.ts';

/** A condition that begins and ends with time: its beginning is an event. */
interface Condition {
  readonly event: NotificationEvent;
  /** What the subjects are: ids of hosts, told together, or others, told one by one. */
  readonly of: 'hosts' | 'subjects';
  /**
   * SQL: rows (subject text, data jsonb) of what is in the condition now. No data of hosts is told. That of hosts reads all
   * of them, and is not read while no route wants it.
   */
  readonly present: string;
  /** The event that its end is, for hosts that are approved and active then. */
  readonly end?: NotificationEvent;
}

const ofHosts = (condition: string) =>
  `SELECT id::text AS subject, '{}'::jsonb AS data
   FROM hosts h JOIN host_state s ON s.host_id = h.id JOIN host_contacts c ON c.host_id = h.id
   WHERE approval_status = 'approved' AND ${condition}`;

/** SQL: hosts added, approved or reinstated after this time are not late yet. */
const lateBefore = 'now() - make_interval(secs => stale_after_seconds)';

const utc = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/**
 * Feeds whose data is older than their threshold. Where a feed has files for each release, also those of which the data of a
 * release with hosts is; where a feed or such a release was never synced, those that hosts have needed for a day. CISA KEV is
 * needed by every host. The subject is the feed, or `feed/release` for its data of one release: one that stays old must not hide that
 * another one, or the whole feed, became old.
 */
const staleFeeds = `WITH needed AS MATERIALIZED (
    SELECT s.release_id, min(s.first_snapshot_at) AS since FROM host_state s JOIN hosts h ON h.id = s.host_id
    WHERE h.approval_status = 'approved' AND s.snapshot_id IS NOT NULL GROUP BY 1),
  used AS (
    SELECT r.feed_id, CASE WHEN fr.release IS NOT NULL THEN r.name END AS release, fr.updated_at, n.since
    FROM needed n JOIN releases r ON r.id = n.release_id
    LEFT JOIN feed_releases fr ON fr.feed_id = r.feed_id AND fr.release = r.name
    UNION ALL SELECT 'cisa-kev', NULL, NULL, min(since) FROM needed),
  old AS (
    SELECT f.id, f.updated_at, f.last_error, NULL AS release FROM feeds f
    WHERE ${isOutdated('f.updated_at', 'f')}
      OR f.updated_at IS NULL AND EXISTS (SELECT FROM used u WHERE u.feed_id = f.id AND u.since < now() - interval '1 day')
    UNION ALL
    SELECT f.id, u.updated_at, f.last_error, u.release FROM feeds f JOIN used u ON u.feed_id = f.id
    WHERE u.release IS NOT NULL AND NOT ${isOutdated('f.updated_at', 'f')}
      AND (${isOutdated('u.updated_at', 'f')}
        OR u.updated_at IS NULL AND u.since < now() - interval '1 day'))
  SELECT id || coalesce('/' || release, '') AS subject, jsonb_build_object('updated_at', ${utc('updated_at')}, 'error', last_error,
      'releases', CASE WHEN release IS NOT NULL THEN jsonb_build_array(release) END) AS data
  FROM old`;

/** All conditions. Another one is a line here; `stillTrue` then knows it, too. */
export const conditions: readonly Condition[] = [
  {
    event: 'host.stale',
    of: 'hosts',
    present: ofHosts(`(status IN ('stale', 'unreachable') OR status = 'new' AND created_at < ${lateBefore})
      AND (approved_at >= ${lateBefore}) IS NOT TRUE`),
    end: 'host.back',
  },
  { event: 'repository.outdated', of: 'hosts', present: ofHosts(`s.repositories_state = 'outdated'`) },
  {
    event: 'repository.failing',
    of: 'hosts',
    present: ofHosts(`s.gaps & ${bitsOfGaps(['repository_failing'])} <> 0`),
  },
  {
    event: 'feed.stale',
    of: 'subjects',
    present: staleFeeds,
  },
  {
    event: 'waiver.expiring',
    of: 'subjects',
    present: `SELECT id::text AS subject, jsonb_build_object('expires_at', ${utc('expires_at')})
        AS data FROM waivers WHERE ended_at IS NULL AND expires_at BETWEEN now() AND now() + interval '7 days'`,
  },
];

/** Finds what began or ended since the last look, and puts it into the outbox. */
export interface ConditionWatch {
  /**
   * Compares all conditions with those of the last look, in one transaction. The first look at a condition tells nothing:
   * that of an installation, after an upgrade that added it, or since a route wants it. Returns the number of those that began and ended. A condition that cannot be compared is left for the next
   * look, and the others are compared without it.
   */
  look(): Promise<Look>;
}

/** What a look found. */
export interface Look {
  readonly begun: number;
  readonly ended: number;
  readonly failed: readonly { readonly event: NotificationEvent; readonly error: unknown }[];
}

/** Not an event: its subjects are the conditions at which a first look was taken. */
const firstLook = 'first look';

/** The conditions of one database. */
export function createConditionWatch({ pool }: Database): ConditionWatch {
  return {
    async look() {
      await judgeDue({ pool });
      return inPgTransaction(pool, async (tx) => {
        await tx.query(`SELECT pg_advisory_xact_lock(hashtext('plimsoll notification conditions'))`);
        const total = { begun: 0, ended: 0 };
        const failed: Look['failed'][number][] = [];
        for (const condition of conditions) {
          await tx.query('SAVEPOINT compared');
          try {
            const { begun, ended } = await compareAndTell(tx, condition);
            total.begun += begun;
            total.ended += ended;
          } catch (error) {
            // If the connection is lost, the whole look fails, with the error that says why.
            await tx.query('ROLLBACK TO SAVEPOINT compared').catch(() => Promise.reject(error));
            failed.push({ event: condition.event, error });
          }
        }
        return { ...total, failed };
      });
    },
  };
}

async function compareAndTell(
  tx: PgTransaction,
  condition: Condition,
): Promise<{ readonly begun: number; readonly ended: number }> {
  if (condition.of === 'hosts' && !(await isWanted(tx, condition))) {
    await tx.query('DELETE FROM notification_conditions WHERE event = $1 OR event = $2 AND subject = $1', [
      condition.event,
      firstLook,
    ]);
    return { begun: 0, ended: 0 };
  }
  const first = await tx.query(
    'INSERT INTO notification_conditions (event, subject) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [firstLook, condition.event],
  );
  const { begun, ended } = await compare(tx, condition);
  if (first.rowCount === 1) return { begun: 0, ended: 0 };
  await tell(tx, condition, begun);
  if (condition.end !== undefined) await tellEnd(tx, condition.end, ended);
  return { begun: begun.length, ended: ended.length };
}

/** Whether a route, also a paused one, wants the beginning or the end of a condition. */
async function isWanted(tx: PgTransaction, { event, end }: Condition): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT FROM notification_routes WHERE events && $1::text[] LIMIT 1', [
    end === undefined ? [event] : [event, end],
  ]);
  return rowCount === 1;
}

interface Begun {
  readonly subject: string;
  readonly data: object;
}

async function compare(
  tx: PgTransaction,
  { event, present }: Condition,
): Promise<{ readonly begun: readonly Begun[]; readonly ended: readonly string[] }> {
  const { rows } = await tx.query<{ subject: string; data: object | null; kind: 'begun' | 'ended' }>(
    `WITH present AS MATERIALIZED (${present}),
     begun AS (
       INSERT INTO notification_conditions (event, subject)
       SELECT $1, p.subject FROM present p
       WHERE NOT EXISTS (SELECT FROM notification_conditions c WHERE c.event = $1 AND c.subject = p.subject)
       ON CONFLICT DO NOTHING RETURNING subject),
     ended AS (
       DELETE FROM notification_conditions c
       WHERE c.event = $1 AND NOT EXISTS (SELECT FROM present p WHERE p.subject = c.subject) RETURNING c.subject)
     SELECT b.subject, p.data, 'begun' AS kind FROM begun b JOIN present p USING (subject)
     UNION ALL SELECT subject, NULL, 'ended' FROM ended ORDER BY subject`,
    [event],
  );
  return {
    begun: rows.flatMap(({ subject, data, kind }) =>
      kind === 'begun' ? [{ subject, data: data ?? {} }] : [],
    ),
    ended: rows.flatMap(({ subject, kind }) => (kind === 'ended' ? [subject] : [])),
  };
}

async function tell(tx: PgTransaction, { event, of }: Condition, begun: readonly Begun[]): Promise<void> {
  if (begun.length === 0) return;
  if (of === 'hosts')
    await add(tx, { event, subject: '', hosts: begun.map(({ subject }) => subject), data: {} });
  else for (const { subject, data } of begun) await add(tx, { event, subject, hosts: [], data });
}

async function tellEnd(
  tx: PgTransaction,
  event: NotificationEvent,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  const { rows } = await tx.query<{ id: string }>(
    // A host that was retired and reinstated is not late any more, and did not report.
    `SELECT id FROM hosts JOIN host_state ON host_id = id
     WHERE id = ANY($1::uuid[]) AND approval_status = 'approved' AND status = 'active'`,
    [subjects],
  );
  const hosts = rows.map(({ id }) => id);
  if (hosts.length > 0) await add(tx, { event, subject: '', hosts, data: {} });
}

interface NewEvent {
  readonly event: NotificationEvent;
  readonly subject: string;
  readonly hosts: readonly string[];
  readonly data: object;
}

async function add(tx: PgTransaction, { event, subject, hosts, data }: NewEvent): Promise<void> {
  await tx.query('SELECT add_notification_event($1, $2, $3::uuid[], $4::jsonb)', [
    event,
    subject,
    hosts,
    JSON.stringify(data),
  ]);
}
