import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { encodeSnapshot } from '@plimsoll/reports';
import type { Fleet } from '../fleet/fleet.ts';
import type { Moment } from '../fleet/moment.ts';

/** A report ready to be sent. */
export interface PreparedReport {
  readonly gzip: Uint8Array;
  /** SHA-256 of the protobuf, hexadecimal. */
  readonly sha256: string;
}

/** The report of a host at a moment: protobuf in gzip, as an agent sends it. */
export function prepareReport(fleet: Fleet, host: number, moment: Moment): PreparedReport {
  const payload = encodeSnapshot(fleet.snapshot(host, moment));
  const sha256 = createHash('sha256').update(payload).digest('hex');
  return { gzip: gzipSync(payload, { level: 1 }), sha256 };
}
