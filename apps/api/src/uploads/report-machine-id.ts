import { Buffer } from 'node:buffer';

/** The searched length of the section `platform`; a host with a thousand addresses fills half of it. */
const lookedAtBytes = 64 * 1024;

/**
 * The machine id in the section `platform` of a text report (docs/report-format.md); null without one. Searches for
 * that section only and accepts any bytes: `parseReport` checks that the report is complete and valid.
 */
export function reportMachineId(report: Uint8Array): string | null {
  const bytes = Buffer.from(report.buffer, report.byteOffset, report.byteLength);
  for (let from = 0; ; ) {
    // Content of a section starts with a space, so command output cannot match.
    const start = bytes.indexOf('\n@platform', from);
    if (start < 0) return null;
    const [heading, ...lines] = bytes
      .toString('utf8', start + 1, start + 1 + lookedAtBytes)
      .split('\n')
      .map((line) => line.replace(/\r$/, ''));
    if (heading === '@platform') return machineIdIn(lines);
    from = start + 1;
  }
}

/** The last of repeated fields counts, as in the parser. A failed section gives null. */
function machineIdIn(lines: readonly string[]): string | null {
  const end = lines.findIndex((line) => line.startsWith('@'));
  if (lines[end] !== '@exit 0') return null;
  const entry = lines.slice(0, end).findLast((line) => line.startsWith(' machine_id\t'));
  return entry?.split('\t')[1] || null;
}
