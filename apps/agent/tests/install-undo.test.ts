import { describeWhere } from '@plimsoll/testing';
import { installSite, missingForInstall, quick, traces, withCron, withSystemd } from './install-site.ts';

describeWhere(missingForInstall, 'an installation that is undone', () => {
  const site = installSite('install-undo');

  it('leaves nothing behind if the server refused the enrolment', async () => {
    site.server.behave('/api/v1/agent/register', { status: 401 });
    const { stdout, stderr, status } = await site.host.run(
      withCron,
      `${quick}; ${site.install()}; status=$?; ${traces}; exit $status`,
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain('expired or revoked');
    expect(stderr).toContain('all changes of this installation were undone');
    expect(stdout).toMatch(/^id: .*no such user.*\n$/);
  });

  it.each([
    ['plain http to another machine', 'http://192.0.2.1:8080', /is not encrypted.*Use https/],
    ['an unknown option', '--insecure https://192.0.2.1', /unknown option --insecure/],
    [
      'a file that it cannot read',
      '--cacert /nowhere/ca.pem https://192.0.2.1',
      /cannot read \/nowhere\/ca.pem/,
    ],
    ['no address', '', /address of the server is missing/],
  ])('changes nothing for %s', async (_, args, words) => {
    const { stdout, stderr, status } = await site.host.run(
      withCron,
      `${quick}; printf plr_token | sh /host/plimsoll-agent install ${args}; status=$?; ${traces}; exit $status`,
    );
    expect(status).not.toBe(0);
    expect(stderr).toMatch(words);
    expect(stdout).toMatch(/^id: .*no such user.*\n$/);
  });

  it('undoes its changes if it is interrupted during the enrolment', async () => {
    site.server.behave('/api/v1/agent/register', { status: 503 });
    const interrupted = `echo plr_token >/tmp/token; setsid sh /host/plimsoll-agent install ${site.server.origin} </tmp/token & installing=$!
      until id plimsoll-agent >/dev/null 2>&1 && [ -s /tmp/slept ]; do :; done
      kill -TERM -$installing; wait $installing`;
    const sleeping =
      'printf "#!/bin/sh\\necho 1 >>/tmp/slept; exec /usr/bin/sleep 600\\n" >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep; touch /tmp/slept; chmod 666 /tmp/slept';
    const { stdout } = await site.host.run(
      `${withCron}\n${sleeping}`,
      `export PATH=/usr/local/bin:$PATH; ${quick}; ${interrupted}; ${traces}; exit 0`,
    );
    expect(stdout).toMatch(/^id: .*no such user.*\n$/);
  });

  it('leaves nothing behind when it is uninstalled', async () => {
    const listing =
      "find /changed/etc /changed/usr /changed/var /changed/run -newer /tmp/mark ! -type d 2>/dev/null | grep -v -e '/\\(passwd\\|group\\|shadow\\|gshadow\\|subuid\\|subgid\\)-*$' -e /var/log -e /etc/.pwd.lock";
    for (const init of [withSystemd, withCron]) {
      const { stdout, status } = await site.host.run(
        `${init}\n${quick}; touch /tmp/mark; sleep 1.1; ${site.install()}; plimsoll-agent run; plimsoll-agent uninstall`,
        `${listing}; id plimsoll-agent 2>&1; ls -d /var/lib/plimsoll-agent 2>&1 | grep -c 'No such'; exit 0`,
      );
      expect(status).toBe(0);
      expect(stdout.split('\n').filter((line) => line.startsWith('/changed'))).toEqual(
        expect.not.arrayContaining([expect.stringContaining('plimsoll')]),
      );
      expect(stdout).toContain('no such user');
      expect(stdout).toContain('\n1\n');
    }
  });
});
