import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describeWhere, type TestLogin } from '@plimsoll/testing';
import { openRawSession, type RawSession } from './raw-session.ts';
import { clientOptions, runClient } from './run-client.ts';
import { collectorOf, hello, helloReport, missingForAccounts, type Site, setUpSite } from './site.ts';

const refusal = `plimsoll-pin ${hello.sha256}\n`;

/**
 * Requests of a thief of the key instead of the collector; each would create a file in the home if it ran.
 */
const requests: readonly string[] = [
  'touch stolen',
  'plimsoll-collect; touch stolen',
  '$(touch stolen)',
  '`touch stolen`',
  '(touch stolen)',
  '"; touch stolen; "',
  '" sh; touch stolen #',
  "'; touch stolen; '",
  '\\"; touch stolen; \\"',
  '"\'"\'"; touch stolen; "',
  'a\ntouch stolen\n',
  '"\ntouch stolen\n"',
  '!touch stolen',
  '"!touch" stolen',
  '$stolen:`touch stolen`',
  '"; end; touch stolen; begin; "',
  '> stolen',
  '*)touch stolen;;esac',
  'x in *) touch stolen;; esac; case y',
  '--version',
  '-c "touch stolen"',
  `"$(touch stolen)" plimsoll-collect \`touch stolen\` \${x:=$(touch stolen)}`,
  `${'x'.repeat(140_000)}\ntouch stolen`,
  `\${x}\u00e9\u2028\u0001;touch stolen`,
  '~/.. {a,b} @ % ^ # &touch stolen&',
];

const shells = ['/bin/bash', '/bin/dash', '/bin/tcsh', '/usr/bin/fish', '/bin/zsh', '/bin/ksh'];

describeWhere(missingForAccounts, 'the line with login shells', () => {
  let site: Site;
  beforeAll(async () => {
    site = await setUpSite();
  });
  afterAll(() => site?.stop());
  beforeEach(() => site.allow(hello));

  describe.each(shells.filter((shell) => existsSync(shell)))('with %s', (shell) => {
    let login: TestLogin;
    let session: RawSession;
    beforeAll(async () => {
      login = await site.addLogin(shell, { list: 'echo a file to list\n' });
      await site.allow(hello);
      session = await openRawSession(site, login.user);
    });
    afterAll(() => session?.end());
    const leftBehind = async () => (await readdir(login.home)).filter((name) => name.includes('stolen'));

    it('runs the pinned script, whatever command the client requests', async () => {
      for (const command of ['plimsoll-collect', 'anything', ...requests.slice(1, 6)]) {
        const answer = await session.ask(command, hello.script);
        expect(answer).toEqual({ status: 0, stdout: helloReport(login.user) });
      }
      expect(await leftBehind()).toEqual([]);
    });

    it('gives the pinned script nothing that the client sent', async () => {
      const curious = collectorOf('echo "<$*>"; env | cut -d= -f1 | sort | tr "\\n" " "; cat');
      await site.allow(curious);
      const other = await openRawSession(site, login.user);
      const { stdout } = await other.ask('plimsoll-collect some words', curious.script);
      other.end();
      expect(stdout.replace(/(OLDPWD|SHLVL|_) /g, '')).toBe('<>\nLC_ALL PATH PWD ');
    });

    it('refuses every other script', async () => {
      const text = hello.script.toString();
      const others = [
        text.replace('hello', 'hellp'),
        text.slice(0, -1),
        `${text}id\n`,
        text.padEnd(300_000, '#'),
      ];
      for (const script of [...others, ...others.map((other) => `touch stolen\n${other}`)]) {
        expect(await session.ask('plimsoll-collect', script)).toEqual({ status: 78, stdout: refusal });
      }
      expect(await leftBehind()).toEqual([]);
    });

    it('runs no part of a command', async () => {
      const answers = await Promise.all(requests.map((command) => session.ask(command)));
      for (const [position, { status, stdout }] of answers.entries()) {
        // Shells of the csh family refuse some of these by themselves.
        const request = requests[position]?.slice(0, 80);
        expect({ request, stdout }).toEqual({ request, stdout: expect.stringMatching(`^(${refusal})?$`) });
        expect(status).not.toBe(0);
      }
      expect(await leftBehind()).toEqual([]);
    });

    it('refuses a session without a command', async () => {
      const run = await runClient('ssh', [...clientOptions(site), '-T', `${login.user}@127.0.0.1`], {
        input: 'touch stolen\n',
      });
      expect(run.hung).toBe(false);
      expect(run.status).not.toBe(0);
      expect(['', refusal]).toContain(run.stdout);
      expect(await leftBehind()).toEqual([]);
    });
  });
});

it('names shells that exist', () => {
  // Without any of them, nothing above is tested.
  expect(shells.filter((shell) => existsSync(shell)).length).toBeGreaterThan(0);
});
