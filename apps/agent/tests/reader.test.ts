import { rmSync } from 'node:fs';
import {
  describeWhere,
  missingCommands,
  missingForPrivateHost,
  newFolder,
  privateHost,
} from '@plimsoll/testing';
import { AgentServer } from './agent-server.ts';
import { buildScripts } from './built-scripts.ts';
import { smallAptHost, writeTools } from './fake-tools.ts';
import { readReport, type Section, sectionOf } from './report-text.ts';

const missing = [
  ...missingForPrivateHost(),
  ...missingCommands('runuser', 'useradd', 'curl', 'setpriv', 'unshare'),
];

describeWhere(missing, 'the reader of processes', () => {
  const folder = newFolder('reader');
  const host = privateHost(folder);
  let server: AgentServer;

  beforeAll(() => {
    buildScripts(folder);
    writeTools(`${folder}/tools`, smallAptHost);
  });
  beforeEach(async () => {
    server = await AgentServer.start();
  });
  afterEach(() => server.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const quick = 'export PATH=/host/tools:$PATH';
  const withCron = `rm -rf /run/systemd; mkdir -p /etc/cron.d; cp "$(command -v sleep)" /usr/sbin/cron; cron 600 </dev/null >/dev/null 2>&1 &
${quick}`;
  const install = (options = '') =>
    `printf plr_token | sh /host/plimsoll-agent install ${options} ${server.origin}`;
  /** A process of root that runs a deleted program. */
  const outdated =
    'mkdir -p /opt/tests; cp /usr/bin/sleep /opt/tests/old; /opt/tests/old 600 & until grep -qs tests/old /proc/$!/maps; do :; done; rm /opt/tests/old';
  const told: Section = { lines: ['old\t/opt/tests/old'], said: [], exit: 0 };
  const starter = "sed -n 's/.*[*] \\([a-z-]*\\) .usr.*/\\1/p' /etc/cron.d/plimsoll-agent";

  function processesTold(): readonly Section[] {
    return server.reports().map((report) => sectionOf(readReport(report), 'deleted-files'));
  }

  describe('started by cron', () => {
    it('runs before the agent, whose user can read only the result', async () => {
      const { stdout } = await host.run(
        `${withCron}\n${outdated}`,
        `${quick}; ${install()} || exit; ${starter}; env -i PATH=/host/tools:/usr/bin:/bin sh -c '/usr/local/sbin/plimsoll-agent run'
         stat -c '%U %G %a' /run/plimsoll-agent-processes /run/plimsoll-agent-processes/*; ls -d /tmp/plimsoll.*`,
      );
      expect(stdout).toBe(
        'root\nplimsoll-processes plimsoll-agent 750\nplimsoll-processes plimsoll-agent 640\n',
      );
      expect(processesTold()).toEqual([told, told]);
    });

    it('has one capability, no network and no environment', async () => {
      // A hostile name could take over the reader's grep.
      const spy =
        'printf \'#!/bin/sh\\n[ "$(id -u)" = 0 ] || { env; /usr/bin/grep -h -e ^Cap -e ^NoNew /proc/self/status; ls /sys/class/net; cat /proc/net/dev; } >/tmp/spy.$$ 2>&1\\nexec /usr/bin/grep "$@"\\n\' >/usr/local/bin/grep; chmod 755 /usr/local/bin/grep';
      const { stdout } = await host.run(
        `${withCron}\n${install()}; sed -i 's,PATH=/usr/sbin,PATH=/usr/local/bin:/usr/sbin,' /usr/local/sbin/plimsoll-agent; ${spy}`,
        'SECRET=x plimsoll-agent run >/dev/null 2>&1; cat $(grep -l -e "^CapEff:.*80000$" /tmp/spy.*)',
      );
      expect(stdout).toContain('CapBnd:\t0000000000080000\n');
      expect(stdout).toContain('NoNewPrivs:\t1\n');
      expect(stdout).not.toContain('SECRET');
      expect(new Set(stdout.match(/^ *\w+:(?= +\d+ )/gm))).toEqual(new Set(['    lo:']));
    });

    it.each([
      [
        'setpriv is missing',
        'rm /usr/bin/setpriv',
        /stays unknown which services need a restart: on this host, root can neither/,
      ],
      [
        'the network cannot be closed',
        'printf "#!/bin/sh\\nexit 1\\n" >/usr/bin/unshare',
        /stays unknown which services/,
      ],
      ['it is disabled', 'true', /stays unknown which services need a restart: reading processes is off/],
    ])('runs neither as its user nor as root if %s', async (what, prepare, words) => {
      const options = what === 'it is disabled' ? '--no-process-reading' : '';
      const { stdout, stderr } = await host.run(
        `${withCron}\n${outdated}; ${prepare}`,
        `${quick}; ${install(options)} || exit; ${starter}; ls -d /run/plimsoll*`,
      );
      expect(stderr).toMatch(words);
      expect(stdout.split('\n')[0]).toBe('plimsoll-agent');
      expect(processesTold()).toEqual([
        { lines: [], said: [expect.stringMatching(/reader|switched off/), expect.anything()], exit: 1 },
      ]);
    });

    it('runs no program that a user other than root can change', async () => {
      for (const weak of ['chmod o+w /usr/local', 'chown 65534 /usr/local/sbin']) {
        const { stdout, stderr } = await host.run(
          `${withCron}\n${weak}`,
          `${quick}; ${install()}; ls /usr/local/sbin; id plimsoll-agent 2>&1`,
        );
        expect(stderr).toMatch(/others than root can change \/usr\/local/);
        expect(stdout).toMatch(/^id: .*no such user.*\n$/);
      }
    });
  });

  describe('has a result that the agent treats as untrusted', () => {
    const rows = 'uses\\told\\t/opt/tests/old\\n';
    const said = (words: string) => ({
      lines: [],
      said: [expect.stringContaining(words), expect.stringContaining('some processes could not be read')],
      exit: 1,
    });
    const unusable = said('cannot be understood');
    const missingResult = said('left no result');
    const old = said('not of the last ten minutes');

    /**
     * For each result of the reader: how it is made, and the section that the agent's own user derives from
     * it.
     */
    const results: Readonly<Record<string, readonly [string, unknown]>> = {
      whole: [`printf "time\\t$now\\n${rows}end\\t0\\t1\\n" >$result`, told],
      'whole and empty': ['printf "time\\t$now\\nend\\t0\\t0\\n" >$result', { lines: [], said: [], exit: 0 }],
      'of a reader that did not see all': [
        `printf "time\\t$now\\n${rows}end\\t1\\t1\\n" >$result`,
        { ...told, said: [expect.stringContaining('could not read every process')], exit: 1 },
      ],
      old: [`printf "time\\t$((now - 700))\\n${rows}end\\t0\\t1\\n" >$result`, old],
      'of the future': [`printf "time\\t$((now + 700))\\n${rows}end\\t0\\t1\\n" >$result`, old],
      'without an end': [`printf "time\\t$now\\n${rows}" >$result`, unusable],
      cut: [`printf "time\\t$now\\n${rows}end\\t0\\t2\\n" >$result`, unusable],
      'followed by more': [`printf "time\\t$now\\nend\\t0\\t0\\n${rows}" >$result`, unusable],
      'of an unknown outcome': [`printf "time\\t$now\\n${rows}end\\t7\\t1\\n" >$result`, unusable],
      'of other rows': ['printf "time\\t$now\\nuses\\ta\\tb\\nend\\t0\\t1\\n" >$result', unusable],
      'of rows with more columns': [
        'printf "time\\t$now\\nuses\\ta\\t/usr/b\\tc\\nend\\t0\\t1\\n" >$result',
        unusable,
      ],
      'without a time': [`printf "${rows}end\\t0\\t1\\n" >$result`, unusable],
      empty: [': >$result', unusable],
      random: ['head -c 100000 /dev/urandom >$result', unusable],
      endless: ['yes uses | head -c 30000000 >$result', unusable],
      missing: [':', missingResult],
      'a pipe': ['mkfifo $result', missingResult],
      'a link to the token': ['ln -s /var/lib/plimsoll-agent/token $result', missingResult],
      'a folder': ['mkdir $result', missingResult],
      'not readable': [': >$result; chmod 0 $result', missingResult],
    };

    it('is accepted as a whole or not at all', async () => {
      const turns = Object.values(results).map(
        ([make]) => `cat >/tmp/make <<'END'
umask 027; now=$(date +%s); result=/run/plimsoll-agent-processes/result; rm -rf $result
${make}
END
runuser -u plimsoll-processes -g plimsoll-agent -- sh /tmp/make
runuser -u plimsoll-agent -- plimsoll-agent report; echo ----`,
      );
      const { stdout, stderr } = await host.run(`${withCron}\n${install()}`, `${quick}\n${turns.join('\n')}`);
      expect([stderr, stdout.includes('plh_')]).toEqual(['', false]);
      const sections = stdout.split('----\n').slice(0, -1);
      expect(sections).toHaveLength(turns.length);
      for (const [index, [name, [, expected]]] of Object.entries(results).entries()) {
        const section = sectionOf(readReport(sections[index] ?? ''), 'deleted-files');
        expect([name, section]).toEqual([name, expected]);
      }
    });
  });
});
