import { gunzipSync } from 'node:zlib';
import {
  type Database,
  type HistoryDifference,
  type StateDifference,
  verifyHistory,
  verifyState,
} from '@plimsoll/db';
import { decodeSnapshot } from '@plimsoll/reports';

/** What differs from the state that follows from the stored reports, for all hosts. Throws while hosts are to be counted. */
export async function stateDifferences(db: Database): Promise<readonly StateDifference[]> {
  const found: StateDifference[] = [];
  const decode = async (payload: Uint8Array, receivedAt: Date) => {
    if (payload.length < 10) return null;
    const decoded = decodeSnapshot(gunzipSync(payload), { receivedAt });
    return decoded.kind === 'snapshot' ? decoded.snapshot.packages : null;
  };
  const onBusy = () => Promise.reject(new Error('hosts are not counted'));
  for await (const piece of verifyState(db, { hosts: null, decode, onBusy }))
    found.push(...piece.differences);
  return found;
}

/** What contradicts itself in the history of matches, or differs from what its statements give. */
export async function historyDifferences(db: Database): Promise<readonly HistoryDifference[]> {
  const found: HistoryDifference[] = [];
  for await (const piece of verifyHistory(db)) found.push(...piece);
  return found;
}
