import { type SentUpload, verifyLedger } from '@plimsoll/loadtest';
import type { World } from './world.ts';

/** What became of the reports of a run. */
export interface Verdict {
  readonly accepted: number;
  /** Attempts by their status; 0: without an answer. */
  readonly refused: Readonly<Record<number, number>>;
  /** Accepted reports without a trace. */
  readonly lost: number;
  /** Reports with more than one snapshot. */
  readonly twice: number;
  /** Accepted reports without an end. */
  readonly stuck: number;
  /** Hosts whose state is not that of their last accepted report, and differences that `plimsoll verify` found. */
  readonly wrong: number;
  /** What is wrong, in detail. */
  readonly problems: readonly string[];
}

const kindOf = {
  upload_lost: 'lost',
  host_missing: 'lost',
  upload_unfinished: 'stuck',
  upload_rejected: 'wrong',
  superseded_by_nothing: 'wrong',
  newest_differs: 'wrong',
  // A refusal; the host sent another report afterwards.
  not_accepted: null,
} as const;

/**
 * Compares what was sent with what the service has: each host's newest snapshot with its last accepted report, and by `plimsoll
 * verify` its packages and counts with that snapshot. Waits `patienceMs` for reports that have not ended.
 */
export async function judge(
  world: World,
  uploads: readonly SentUpload[],
  patienceMs: number,
): Promise<Verdict> {
  const { client, key, deleted, service } = world;
  const found: Record<'lost' | 'twice' | 'stuck' | 'wrong', string[]> = {
    ...{ lost: [], twice: [], stuck: [], wrong: [] },
  };
  const ofKept = uploads.filter(({ hostId }) => !deleted.has(hostId));
  const { problems } = await verifyLedger(ofKept, { client, session: key, lanes: 2, patienceMs });
  for (const { kind, hostId, detail } of problems) {
    const column = kindOf[kind];
    if (column !== null) found[column].push(`host ${hostId}: ${kind} ${detail}`);
  }
  const listOf = (values: Iterable<string>): string => `'{${[...values].join(',')}}'`;
  const hashes = listOf(uploads.map(({ sha256 }) => sha256));
  const rows = await service.sql([
    `SELECT 'twice' AS column, host_id || ' has ' || count(*) || ' snapshots of one report' AS what FROM snapshots
       WHERE encode(payload_sha256, 'hex') = ANY (${hashes}) GROUP BY host_id, payload_sha256 HAVING count(*) > 1
     UNION ALL SELECT 'wrong', id || ' was deleted and is back' FROM unnest(${listOf(deleted)}::uuid[]) AS gone (id)
       WHERE id IN (SELECT id FROM hosts) OR id IN (SELECT host_id FROM uploads UNION ALL SELECT host_id FROM snapshots)`,
  ]);
  for (const { column, what } of rows) found[column as 'twice' | 'wrong'].push(`host ${what}`);
  const { status, stdout, stderr } = await service.plimsoll('verify');
  const told = `${stdout}${stderr}`.trim().split('\n');
  // The last line of differences is their number.
  if (status !== 0) found.wrong.push(...told.slice(0, Math.max(1, told.length - 1)));
  const refused: Record<number, number> = {};
  for (const { uploadId, status: said } of uploads)
    if (uploadId === null) refused[said] = (refused[said] ?? 0) + 1;
  return {
    accepted: uploads.filter(({ uploadId }) => uploadId !== null).length,
    refused,
    lost: found.lost.length,
    twice: found.twice.length,
    stuck: found.stuck.length,
    wrong: found.wrong.length,
    problems: Object.values(found).flat(),
  };
}
