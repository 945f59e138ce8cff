import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Machine and time of the report; default time: now. */
interface ReportOf {
  readonly machineId: string;
  readonly collectedAt?: Date;
}

/**
 * The report of a real Debian 12 host, with the given machine and time. The packages that none of its lists has are removed
 * except for their configuration: all of its findings are known.
 */
export function sampleReport({ machineId, collectedAt = new Date() }: ReportOf): string {
  const file = path.resolve(__dirname, '../../../packages/reports/testdata/reports/debian-12.txt');
  return readFileSync(file, 'utf8')
    .replace(/^ ii (?=\t(?:google-cloud-cli|nodejs))/gm, ' rc ')
    .replace(/^ machine_id\t.*$/m, ` machine_id\t${machineId}`)
    .replace(/^ collected_at\t.*$/m, ` collected_at\t${Math.floor(collectedAt.getTime() / 1000)}`);
}
