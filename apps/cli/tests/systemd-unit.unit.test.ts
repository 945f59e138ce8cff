import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeWhere, missingCommands } from '@plimsoll/testing';
import { systemdUnit, writeUnit } from '../src/systemd/systemd-unit.ts';

const node = process.execPath;
// Not this checkout, which may lie below /tmp.
const place = {
  user: 'plimsoll',
  node,
  projectDir: '/opt/plimsoll',
  dataDir: '/srv/my 100% data',
  writes: [['backup.dir', '/srv/backups']] as const,
};
const unitOf = (more = {}) =>
  systemdUnit({ ...place, settingsFile: '/etc/plimsoll.yaml', port: 8080, ...more });
const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-unit-'));
const file = path.join(folder, 'plimsoll.service');
afterAll(() => rmSync(folder, { recursive: true }));

it('names folders and the settings file, and refuses what cannot work', () => {
  expect(unitOf()).toContain('plimsoll.mjs start --config /etc/plimsoll.yaml\n');
  expect(unitOf()).toContain('\nReadWritePaths="/srv/my 100%% data" /srv/backups\n');
  expect(unitOf({ dataDir: '/home/ops/data' })).toContain('\nProtectHome=read-only\n');
  expect(() => unitOf({ user: 'root' })).toThrow('unprivileged user');
  expect(() => unitOf({ dataDir: '/tmp/data' })).toThrow('"/tmp/data" (data_dir): ');
  expect(() => unitOf({ writes: [['backup.dir', '/tmp/x']] })).toThrow('"/tmp/x" (backup.dir): ');
  expect(() => unitOf({ dataDir: '/srv/a\nUser=root' })).toThrow('cannot use');
});

describeWhere(missingCommands('systemd-analyze'), 'read by systemd', () => {
  it.each([8080, 443])('with port %d is valid for systemd and exposed by 2.0 at most', (port) => {
    writeFileSync(file, unitOf({ port }));
    const analyze = (...args: string[]) =>
      spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
    expect(analyze('verify', '--man=no').stderr).not.toContain('plimsoll.service');
    const security = analyze('security', '--offline=true', '--threshold=20', '--no-pager');
    expect(security.stdout).toContain('Overall exposure level');
    expect(security.status).toBe(0);
  });
});

it('overwrites a unit that differs only when told to', async () => {
  writeFileSync(file, 'mine');
  await expect(writeUnit(file, 'new', false)).rejects.toThrow('exists and differs');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await writeUnit(file, 'new', true);
  expect(readFileSync(file, 'utf8')).toBe('new');
});
