import { readFileSync } from 'node:fs';
import path from 'node:path';

const recorded = readFileSync(
  path.resolve(__dirname, '../../../packages/reports/testdata/reports/debian-12.txt'),
  'utf8',
);

/** What to change in the recorded report. */
export interface ReportChanges {
  readonly machineId?: string;
  /** Default: now. */
  readonly collectedAt?: Date;
  /** Added to the section `dpkg`. */
  readonly dpkgLine?: string;
}

/** The report of a real Debian 12 host, as its collector printed it except for the changes. */
export function sampleReport(changes: ReportChanges = {}): string {
  const lines = recorded.split('\n').slice(0, -2);
  const replace = (beginning: string, line: string) => {
    const index = lines.findIndex((candidate) => candidate.startsWith(beginning));
    if (index < 0) throw new Error(`no line begins with ${beginning}`);
    lines[index] = line;
  };
  if (changes.machineId !== undefined) replace(' machine_id\t', ` machine_id\t${changes.machineId}`);
  const collectedAt = changes.collectedAt ?? new Date();
  replace(` collected_at\t`, ` collected_at\t${Math.floor(collectedAt.getTime() / 1000)}`);
  if (changes.dpkgLine !== undefined) lines.splice(lines.indexOf('@dpkg') + 1, 0, ` ${changes.dpkgLine}`);
  const sections = lines.filter((line) => line.startsWith('@exit ')).length;
  return `${lines.join('\n')}\n@end ${sections} ${lines.length}\n`;
}
