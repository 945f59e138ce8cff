import { describeWhere } from '@plimsoll/testing';
import { AgentServer } from './agent-server.ts';
import { installSite, missingForInstall, quick, withCron } from './install-site.ts';
import { makeAuthority } from './private-authority.ts';
import { readReport } from './report-text.ts';

describeWhere(missingForInstall, 'the requests of the installed agent', () => {
  const site = installSite('install-downloads');

  it('enrols and sends with wget if curl is missing, and without gzip if that is missing', async () => {
    const { status, stderr } = await site.host.run(
      `${withCron}
rm /usr/bin/curl /usr/bin/gzip; ${quick}; ${site.install()}`,
      `${quick}; plimsoll-agent run`,
    );
    expect([status, stderr]).toEqual([0, '']);
    const [request] = site.server.to('/api/v1/agent/snapshots');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer plh_first-Token_0123456789',
      'content-type': 'application/x-protobuf',
      'user-agent': expect.stringContaining('Wget'),
    });
    expect(request?.headers['content-encoding']).toBeUndefined();
    expect(readReport(site.server.reports()[0] ?? '').sections.get('dpkg')?.exit).toBe(0);
  });

  it('reads the server’s answers with wget', async () => {
    site.server.behave('/api/v1/agent/snapshots', { status: 503, headers: { 'Retry-After': '900' } });
    const later = await site.host.run(
      `${withCron}
rm /usr/bin/curl; ${quick}; ${site.install()} || :`,
      `${quick}; plimsoll-agent run`,
    );
    expect(later).toMatchObject({ status: 1, stderr: expect.stringContaining('900 seconds') });
    site.server.behave('/api/v1/agent/snapshots', { status: 422, body: { detail: 'the reason' } });
    const refused = await site.host.run(
      `${withCron}
rm /usr/bin/curl; ${quick}; ${site.install()} || :`,
      `${quick}; plimsoll-agent run`,
    );
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('the reason') });
    site.server.behave('/api/v1/agent/snapshots', 'endless');
    const endless = await site.host.run(
      `${withCron}
rm /usr/bin/curl; printf "#!/bin/sh\\n" >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep; ${site.install()} || :`,
      `export PATH=/usr/local/bin:$PATH; ${quick}; plimsoll-agent run`,
    );
    expect(endless).toMatchObject({ status: 1, stderr: expect.stringContaining('longer than 1 MB') });
    await site.restart();
    site.server.behave('/api/v1/agent/snapshots', { status: 401 });
    const stopped = await site.host.run(
      `${withCron}
rm /usr/bin/curl; ${quick}; ${site.install()} || :`,
      `${quick}; plimsoll-agent run`,
    );
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining('stopped') });
  });

  it('checks certificates with wget, regardless of the host’s wgetrc', async () => {
    const authority = await makeAuthority(site.folder);
    const tls = await AgentServer.start(authority.server);
    const noCurl = `${withCron}
rm /usr/bin/curl; echo 'check_certificate = off' >/etc/wgetrc; chmod 644 /host/ca.pem; ${quick}`;
    const withSleep = 'printf "#!/bin/sh\\n" >/usr/local/bin/sleep; chmod 755 /usr/local/bin/sleep';
    const enrol = `printf plr_token | sh /host/plimsoll-agent install ${tls.origin}`;
    const refused = await site.host.run(
      `${noCurl}; ${withSleep}`,
      `export PATH=/usr/local/bin:$PATH; ${enrol}`,
    );
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('certificate') });
    expect(tls.requests).toEqual([]);
    const taken = await site.host.run(
      noCurl,
      `${quick}; export PLIMSOLL_CA_FILE=/host/ca.pem; ${enrol} && plimsoll-agent run`,
    );
    expect(taken.status).toBe(0);
    await tls.stop();
  });

  it('accepts the certificate of a private authority from a folder that only root can read', async () => {
    const authority = await makeAuthority(site.folder);
    const tls = await AgentServer.start(authority.server);
    const { status, stdout } = await site.host.run(
      `${withCron}\nmkdir -m 700 /root/tls; cp /host/ca.pem /root/tls/; chmod 600 /root/tls/ca.pem`,
      `${quick}; cd /root/tls && printf plr_token | sh /host/plimsoll-agent install --cacert ca.pem ${tls.origin} &&
       stat -c '%U %a' /var/lib/plimsoll-agent/ca.pem; ls /usr/local/sbin/`,
    );
    expect([status, stdout]).toEqual([0, 'plimsoll-agent 600\nplimsoll-agent\n']);
    await tls.stop();
  });

  it('puts no token into the command line of wget', async () => {
    const log = `printf '#!/bin/sh\\necho "$*" >>/tmp/wget-log\\nexec /usr/bin/wget "$@"\\n' >/usr/local/bin/wget; chmod 755 /usr/local/bin/wget; touch /tmp/wget-log; chmod 666 /tmp/wget-log`;
    const { stdout } = await site.host.run(
      `${withCron}
rm /usr/bin/curl; ${log}; ${quick}; ${site.install()}; plimsoll-agent run`,
      'cat /tmp/wget-log',
    );
    expect(stdout).toContain('/api/v1/agent/snapshots');
    expect(stdout).not.toMatch(/plr_|plh_/);
  });
});
