import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, folderPerFile } from '@plimsoll/testing';
import { collectorCommand } from '../src/index.ts';
import { runClient } from './run-client.ts';
import { collectorOf } from './site.ts';

const report = 'echo plimsoll-report 1 apt ok';
const small = collectorOf(`${report}\n`);
const pin = (sha256: string) => `plimsoll-pin ${sha256}\n`;

/** Shells that a host may have as /bin/sh. The text must have the same effect in each. */
describe.each(['/usr/bin/dash', '/usr/bin/bash', '/usr/bin/ksh', '/usr/bin/busybox'])(
  '%s as /bin/sh',
  (shell) => {
    describeWhere(existsSync(shell) ? [] : [shell], `${shell} as /bin/sh`, () => {
      const folder = folderPerFile();
      beforeAll(() => {
        // Called by this name, bash and busybox behave as they do as /bin/sh.
        symlinkSync(shell, path.join(folder, 'sh'));
      });
      const run = (sha256: string, input: string | Uint8Array) =>
        runClient('/bin/sh', ['-c', collectorCommand(sha256).replace('/bin/sh', path.join(folder, 'sh'))], {
          input,
        });

      it('runs the pinned script, reports that no line pins it, and gives it no input', async () => {
        const reader = collectorOf(`${report}\ncat\n# \u00e9\nprintf '%s\\n' end\n\n\n`);
        expect(await run(reader.sha256, reader.script)).toEqual({
          status: 0,
          stdout: 'plimsoll-report 1 apt ok\nend\n',
          stderr: 'plimsoll-unpinned\n',
          hung: false,
        });
      });

      it("returns the script's own status", async () => {
        const failing = collectorOf('exit 3');
        expect(await run(failing.sha256, failing.script)).toMatchObject({ status: 3 });
      });

      it.each([131_073, 262_143])(
        'runs a script of %d bytes, more than an argument may have',
        async (length) => {
          const large = collectorOf(`${report}\n#`.padEnd(length, 'x$`"\'\\%s '));
          expect(large.script).toHaveLength(length);
          const { status, stdout } = await run(large.sha256, large.script);
          expect({ status, stdout }).toEqual({ status: 0, stdout: 'plimsoll-report 1 apt ok\n' });
        },
      );

      it.each([
        ['nothing', ''],
        ['one byte changed', `${report} \n`],
        ['cut off', report],
        ['a line more', `${report}\nid\n`],
        ['too large', `${report}\n`.padEnd(300_000, '#')],
      ])('refuses %s', async (_what, input) => {
        expect(await run(small.sha256, input)).toMatchObject({
          status: 78,
          stdout: pin(small.sha256),
          hung: false,
        });
      });

      it('runs only the pinned text if zero bytes are in or after it', async () => {
        for (const input of [`${report}\n\0`, `${report}\n\0\0id\n`, `echo\0 ${report.slice(5)}\n`]) {
          const { stdout } = await run(small.sha256, input);
          expect([pin(small.sha256), 'plimsoll-report 1 apt ok\n']).toContain(stdout);
        }
      });
    });
  },
);
