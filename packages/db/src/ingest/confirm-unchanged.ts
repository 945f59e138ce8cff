import type { HostId, UploadDoor, UploadId } from '@plimsoll/model';
import type { Database } from '../core/database.ts';
import { gatherCalls } from '../core/gather-calls.ts';
import { rowTable } from '../core/row-table.ts';
import { type UploadLimits, unchangedUpdate } from '../fleet/enrolment/upload-allowances.ts';
import { type ObservedRepositories, refreshesUpdate, refreshValues } from './stored-repositories.ts';

/** The parts of an upload that are stored even if its content is unchanged. */
export interface Contact {
  readonly hostId: HostId;
  readonly door: UploadDoor;
  /** SHA-256 over the bytes that proto/snapshot.proto specifies. */
  readonly contentHash: Uint8Array;
  readonly bootedAt: Date | null;
  /** The time of the oldest of the host's package lists; null if not reported. */
  readonly listsAt: Date | null;
  /** Null if the observations cannot be parsed; the stored ones are then kept. */
  readonly repositories: ObservedRepositories | null;
  /** The collection time by the host's clock; null if not reported. */
  readonly collectedAt: Date | null;
}

/**
 * SQL: for each row of `locked`, whose contact is locked until the transaction ends, the time at which its upload counts as
 * received: so the times of a host's uploads are in the order of their numbers, whichever began first.
 */
export const receivedNow = 'SELECT host_id, clock_timestamp() AS at FROM locked';

/** Contacts confirmed together. */
const contactsPerStatement = 100;

/** Makes `UploadStore.confirmUnchanged`, which confirms the uploads of many hosts with one statement. */
export function unchangedConfirmer(
  pool: Database['pool'],
  limits: UploadLimits,
): (contact: Contact) => Promise<UploadId | null> {
  return gatherCalls({
    run: (contacts) => confirmUnchanged(pool, contacts, limits),
    // Two contacts of one host would change one row twice.
    keyOf: ({ hostId }) => hostId,
    most: contactsPerStatement,
    runsAtOnce: 2,
    fewestBeside: 16,
  });
}

/** The ids of the hosts' last uploads if their content is unchanged, else null, in the order of `contacts`. */
async function confirmUnchanged(
  pool: Database['pool'],
  contacts: readonly Contact[],
  limits: UploadLimits,
): Promise<readonly (UploadId | null)[]> {
  const sent = rowTable(
    `host_id uuid, content_hash bytea, booted_at timestamptz?, lists_at timestamptz?, collected_at timestamptz?,
     refreshes jsonb?, digest bytea?, door text`,
    contacts.map((contact) => {
      const [refreshes, digest] = refreshValues(contact.repositories);
      return { refreshes, digest, ...contact };
    }),
  );
  const { rows } = await pool.query<{ hostId: HostId; id: UploadId }>({
    name: 'confirm-unchanged',
    text: `WITH sent AS (SELECT * FROM ${sent.table} n),
       -- Locked in one order, so that statements that confirm the same hosts wait for each other without deadlock.
       locked AS MATERIALIZED (
         SELECT c.host_id FROM host_contacts c JOIN sent ON sent.host_id = c.host_id
         WHERE c.content_hash = sent.content_hash ORDER BY c.host_id FOR NO KEY UPDATE OF c),
       received AS MATERIALIZED (${receivedNow}),
       contact AS (
         UPDATE host_contacts SET last_seen_at = received.at,
                -- An upload that is not parsed yet does not count as the host's known content.
                last_confirmed_at = CASE WHEN EXISTS (
                  SELECT FROM uploads u WHERE u.id = host_contacts.last_upload_id AND u.state = 'received')
                  THEN last_confirmed_at ELSE received.at END,
                booted_at = coalesce(sent.booted_at, host_contacts.booted_at),
                lists_at = coalesce(sent.lists_at, host_contacts.lists_at),
                collected_at = coalesce(sent.collected_at, host_contacts.collected_at)
         FROM received JOIN sent ON sent.host_id = received.host_id
         WHERE host_contacts.host_id = received.host_id AND host_contacts.content_hash = sent.content_hash
           -- After a required reboot has happened, equal content no longer means an equal state.
           AND NOT EXISTS (SELECT FROM host_state s WHERE s.host_id = received.host_id AND s.reboot_state = 'needed'
                             AND sent.booted_at > host_contacts.booted_at + interval '1 minute')
         RETURNING host_contacts.host_id, last_upload_id AS id),
       allowance AS (${unchangedUpdate('$9')}),
       refreshed AS (${refreshesUpdate()})
       SELECT host_id AS "hostId", id FROM contact`,
    values: [...sent.values, limits.everySeconds],
  });
  const confirmed = new Map(rows.map(({ hostId, id }) => [hostId, id]));
  return contacts.map(({ hostId }) => confirmed.get(hostId) ?? null);
}
