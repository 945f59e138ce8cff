import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readHostScripts } from '../src/scripts/host-scripts.ts';

const agentBuild = path.resolve(__dirname, '../../agent/build.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-scripts-'));

beforeEach(() => execFileSync(process.execPath, [agentBuild, folder]));
afterAll(() => rmSync(folder, { recursive: true }));

it('has the collector for pulls with the hash printed by sha256sum and the version in its reports', async () => {
  const { collector } = await readHostScripts(folder);
  const script = path.join(folder, 'collector.sh');
  expect(execFileSync('sha256sum', [script], { encoding: 'utf8' })).toBe(`${collector.sha256}  ${script}\n`);
  const text = Buffer.from(collector.script).toString('utf8');
  expect(text).toContain(`\nversion='${collector.version}'\n`);
  expect(text).toContain('printf \'plimsoll-report 1 %s %s\\n\' "$1" "$version"');
});

it('has the agent with the version of its first lines', async () => {
  const { agent, agentVersion } = await readHostScripts(folder);
  expect(Buffer.from(agent).toString('utf8')).toContain(`\n# plimsoll-agent, version ${agentVersion}\n`);
});

it.each(['collector-apt.sh', 'collector-rpm.sh', 'collector.sh', 'plimsoll-agent'])(
  'names %s and how it is built where it is missing',
  async (name) => {
    rmSync(path.join(folder, name));
    await expect(readHostScripts(folder)).rejects.toThrow(
      `${folder}/${name} cannot be read. Build it with: npm run build -w @plimsoll/agent`,
    );
  },
);

it.each(['collector.sh', 'plimsoll-agent'])('rejects a %s that does not name its version', async (name) => {
  writeFileSync(path.join(folder, name), '#!/bin/sh\n');
  await expect(readHostScripts(folder)).rejects.toThrow(`${name} does not say its version.`);
});
