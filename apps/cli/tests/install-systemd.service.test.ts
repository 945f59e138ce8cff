import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { waitFor } from '@plimsoll/testing';

const cli = path.resolve(__dirname, '../bin/plimsoll.mjs');
const isRoot = process.getuid?.() === 0;
const asNobody = '--reuid=nobody --regid=nogroup --clear-groups --no-new-privs --bounding-set=-all'.split(
  ' ',
);
const nobodyCanRun =
  isRoot && spawnSync('setpriv', [...asNobody, process.execPath, cli, '--version']).status === 0;
const unitFile = '/etc/systemd/system/plimsoll.service';
const isBooted = existsSync('/run/systemd/system');
const env = { PATH: process.env['PATH'] };

let dataDir = '';
let url = '';
beforeEach(async () => {
  if (!isRoot) return;
  dataDir = await mkdtemp('/var/lib/plimsoll-unit-');
  await chown(dataDir, Number(execFileSync('id', ['-u', 'nobody'])), -1);
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/readyz`;
  const settings = { data_dir: dataDir, api: { host: '127.0.0.1', port }, feeds: { sync_enabled: false } };
  await writeFile(path.join(dataDir, 'plimsoll.yaml'), JSON.stringify(settings));
});
afterEach(() => (isRoot ? rm(dataDir, { recursive: true }) : undefined));

const readiness = () =>
  waitFor('readiness', async () => (await fetch(url).catch(() => null))?.status === 200);
const install = (...more: string[]) => {
  const args = ['install', '--systemd', '--user=nobody', `--config=${dataDir}/plimsoll.yaml`, ...more];
  return spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' });
};

(nobodyCanRun ? it : it.skip)(
  'the command of the unit reaches readiness as an unprivileged user',
  async () => {
    const { stdout } = install('--print');
    const lineOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(stdout)?.[1] ?? '';
    const command = [...asNobody, 'env', lineOf('Environment'), ...lineOf('ExecStart').split(' ')];
    const child = spawn('setpriv', command, { cwd: lineOf('WorkingDirectory'), env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    try {
      await readiness();
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(child.exitCode).toBe(0);
  },
);

(isRoot && !isBooted ? it : it.skip)('says that systemd does not run this machine', () => {
  expect(install().stderr).toContain('systemd does not run this machine');
});

(nobodyCanRun && isBooted && !existsSync(unitFile) ? it : it.skip)('systemd starts the unit', async () => {
  expect(install()).toMatchObject({ status: 0 });
  try {
    execFileSync('systemctl', ['daemon-reload']);
    execFileSync('systemctl', ['start', 'plimsoll']);
    await readiness();
  } finally {
    spawnSync('systemctl', ['stop', 'plimsoll']);
    await rm(unitFile);
    execFileSync('systemctl', ['daemon-reload']);
  }
});
