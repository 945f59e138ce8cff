import { Buffer } from 'node:buffer';

/** So much of the section `platform` is looked at; a host with a thousand addresses fills half of it. */
const lookedAtBytes = 64 * 1024;

/**
 * The machine id that a text report names in its section `platform` (docs/report-format.md); null if it names none.
 * Looks for that section without reading the others, and takes any bytes: whether the report is whole and true to the
 * format is for `parseReport` to say.
 */
export function reportMachineId(report: Uint8Array): string | null {
  const bytes = Buffer.from(report.buffer, report.byteOffset, report.byteLength);
  for (let from = 0; ; ) {
    // What a section holds begins with a space, so this is nothing that a command printed.
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

/** Of what the section says twice the last counts, as for the parser. One that failed says nothing. */
function machineIdIn(lines: readonly string[]): string | null {
  const end = lines.findIndex((line) => line.startsWith('@'));
  if (lines[end] !== '@exit 0') return null;
  const entry = lines.slice(0, end).findLast((line) => line.startsWith(' machine_id\t'));
  return entry?.split('\t')[1] || null;
}
