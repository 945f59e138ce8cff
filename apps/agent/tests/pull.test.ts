import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  describeWhere,
  missingCommands,
  missingForPrivateHost,
  newFolder,
  privateHost,
  type ScriptResult,
} from '@plimsoll/testing';
import { buildScripts } from './built-scripts.ts';
import { asNobody, makeHang, waiting, writePull } from './pulled-collector.ts';
import { readReport, sectionOf } from './report-text.ts';
import { shells } from './shells.ts';

const testdata = path.resolve(__dirname, '../testdata/apt-host');
const prepare = readFileSync(path.join(testdata, 'prepare.sh'), 'utf8');
const update =
  'apt-get -qq -o APT::Sandbox::User=root -o Dir::Etc::SourceParts=/host/none -o Acquire::Languages=none update';
const missing = [
  ...missingForPrivateHost(),
  ...missingCommands('apt-get', 'dpkg', 'setpriv', 'setsid', 'sha256sum'),
];

/** A dpkg-query that prints this many lines of six bytes. */
function verbose(lines: number): string {
  return `printf '%s\\n' '#!/bin/sh' 'yes "ii  a" | head -n ${lines}' >/usr/bin/dpkg-query`;
}

/** Gives half a second to every command with its own time limit. */
const hasty = `cp /usr/bin/timeout /usr/bin/patient
  printf '%s\\n' '#!/bin/sh' '[ "$1" = -k ] || exec patient "$@"; shift 3; exec patient -k 1 0.5 "$@"' >/usr/bin/timeout`;

describeWhere(missing, 'the collector as run by a pull over SSH', () => {
  const folder = newFolder('pull');
  const host = privateHost(folder);

  beforeAll(() => {
    buildScripts(folder);
    writePull(folder);
    cpSync(testdata, path.join(folder, 'testdata'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(shells)('in $name', ({ command }) => {
    const pull = `sh /host/pull ${command.join(' ')}`;

    function run(change: string, commands: string): Promise<ScriptResult> {
      return host.run(`${prepare}\n${change}`, `${waiting}\n${commands}`);
    }

    it('prints the same as from a file, and the same as the family’s own collector', async () => {
      const fromFile = `${asNobody} ${command.join(' ')} /host`;
      const { stdout, stderr } = await run(
        update,
        `${pull} || echo failed; ${fromFile}/collector.sh; ${fromFile}/collector-apt.sh; settled`,
      );
      expect(stderr).toBe('');
      const reports = stdout.split(/(?=^plimsoll-report )/m).map(readReport);
      const [first] = reports;
      expect(reports.map(({ heading }) => heading)).toEqual(Array(3).fill(first?.heading));
      expect(reports.map(({ content }) => content)).toEqual(Array(3).fill(first?.content));
      expect(first?.content).toContain('\n@apt-candidates\n Package: bash\n');
    });

    it('on a host of neither family, reports that, prints no report and exits with 1', async () => {
      const { status, stdout, stderr } = await run('rm -f /usr/bin/dpkg-query /usr/bin/rpm', pull);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^plimsoll: this host has neither dpkg nor rpm; .*\n$/);
    });

    it('sends a slow reader the whole report, without reducing the time of commands', async () => {
      const { stdout } = await run(`${verbose(60_000)}; ${hasty}`, `${pull} | { sleep 2; cat; }; settled`);
      const { exit, lines } = sectionOf(readReport(stdout), 'dpkg');
      expect([exit, lines.length]).toEqual([0, 60_000]);
    });

    it.each(['', "trap '' PIPE;"])('leaves nothing when its reader goes away (%j)', async (signals) => {
      const { stdout } = await run(
        update,
        `(${signals} ${pull} 2>/dev/null; echo >/tmp/ended) | head -c 100 >/dev/null; settled; cat /tmp/ended`,
      );
      expect(stdout).toBe('\n');
    });

    it('ends a command that hangs if its reader disconnects', async () => {
      // More than one pipe can hold, but less than two: the report waits for its reader, and the next section
      // begins.
      const { stdout } = await run(
        `${verbose(15_000)}; ${makeHang('/usr/bin/apt-cache')}`,
        `${pull} | begun; settled`,
      );
      expect(stdout).toBe('');
    });

    it('leaves no file and no process after a hang-up', async () => {
      const { stdout } = await run(
        `${update}; ${makeHang('/usr/bin/apt-get')}`,
        `setsid ${pull} >/tmp/report &
        begun
        kill -HUP -$!
        settled; grep '^@end' /tmp/report`,
      );
      expect(stdout).toBe('');
    });
  });
});
