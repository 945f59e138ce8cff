import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

function run(program: string, argument: string) {
  const args = [path.join(root, 'tools/run.mjs'), path.join(root, program), argument];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

it.each([
  ['cases', 'lab/cases/src/main.ts'],
  ['feed-mirror', 'lab/feed-mirror/src/main.ts'],
  ['seed', 'lab/seed/src/main.ts'],
])('npm run %s prints its usage on request, and after an unknown option', (name, program) => {
  const help = run(program, '--help');
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(help.stdout).toContain(`npm run ${name} -- `);
  const wrong = run(program, '--unknown-option');
  expect(wrong).toMatchObject({ status: 64, stdout: '' });
  expect(wrong.stderr).toMatch(/^Unknown option '--unknown-option'/);
  expect(wrong.stderr).toContain(`npm run ${name} -- `);
});
