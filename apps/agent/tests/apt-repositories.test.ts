import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { RepositoryRefresh, Snapshot } from '@plimsoll/model';
import { parseReport } from '@plimsoll/reports';
import {
  describeWhere,
  missingCommands,
  missingForPrivateHost,
  newFolder,
  privateHost,
} from '@plimsoll/testing';
import { buildScripts } from './built-scripts.ts';

const testdata = path.resolve(__dirname, '../testdata/apt-host');
const prepare = ['prepare.sh', 'publish.sh']
  .map((file) => readFileSync(path.join(testdata, file), 'utf8'))
  .join('\n');
const missing = [...missingForPrivateHost(), ...missingCommands('apt-get', 'dpkg', 'gpg', 'gpgv', 'setpriv')];
const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups';

describeWhere(missing, 'apt’s repositories in the collector’s report, with real apt', () => {
  const folder = newFolder('apt-repositories');
  const host = privateHost(folder);

  beforeAll(() => {
    buildScripts(folder);
    cpSync(testdata, path.join(folder, 'testdata'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The report after some commands, and their output in /tmp/said. */
  async function snapshotAfter(
    commands: string,
    collect = 'sh /host/collector-apt.sh',
  ): Promise<{ readonly snapshot: Snapshot; readonly said: string }> {
    const { stdout } = await host.run(`${prepare}\n${commands}`, `cat /tmp/said; echo @@@; ${collect}`);
    const [said = '', report = ''] = stdout.split('@@@\n');
    const parsed = parseReport(report, { receivedAt: new Date() });
    if (parsed.kind !== 'snapshot') throw new Error(JSON.stringify(parsed.errors));
    return { snapshot: parsed.snapshot, said };
  }

  /** The update may fail; its output and exit status are stored. */
  const updateAgain = (options = '') =>
    `{ update ${options} && echo ended with 0 || echo ended with "$?"; } >/tmp/said 2>&1`;

  function listOf({ observed }: Snapshot, name: string): RepositoryRefresh {
    const found = observed.refreshed.find(({ repositoryId }) => repositoryId === `_srv_${name}_dists_stable`);
    if (found === undefined) throw new Error(`${name} is missing`);
    return found;
  }

  const secondsOf = ({ at }: RepositoryRefresh) => (at?.getTime() ?? 0) / 1000;

  it('reports the publisher’s dates, and no error if no fetch failed', async () => {
    const { snapshot, said } = await snapshotAfter(updateAgain());
    expect(said).toBe('ended with 0\n');
    expect(snapshot.observed.refreshed.map(({ at: _, ...rest }) => rest)).toEqual([
      entry('one', '2026-11-20T08:00:00Z'),
      entry('three', '2026-11-19T08:00:00Z'),
      entry('two', '2026-11-01T08:00:00Z'),
    ]);
    expect(snapshot.repositories).toContainEqual({
      id: '_srv_two_dists_stable_main_binary-amd64',
      url: 'file:/srv/two',
      enabled: true,
      suite: 'stable',
      origin: 'Example',
    });
    const fetched = snapshot.observed.refreshed.map(secondsOf);
    expect(Math.max(...fetched) - Math.min(...fetched)).toBeLessThanOrEqual(1);
  });

  it('reports the one repository that its server no longer has among healthy ones', async () => {
    const { snapshot, said } = await snapshotAfter(`mv /srv/two /srv/away; ${updateAgain()}`);
    expect(said).toContain('no longer has a Release file');
    const [one, two, three] = ['one', 'two', 'three'].map((name) => secondsOf(listOf(snapshot, name)));
    expect(one).toBeGreaterThan(two ?? 0);
    expect(three).toBeGreaterThan(two ?? 0);
  });

  it.each(['sh /host/collector-apt.sh', `${asNobody} sh /host/collector-apt.sh`])(
    'reports the expired key that unattended-upgrades ignores, with %s',
    async (collect) => {
      const { snapshot, said } = await snapshotAfter(
        `publish two Example 'Fri, 20 Nov 2026 08:00:00 UTC'; end_key two; ${updateAgain()}`,
        collect,
      );
      // apt exits with 0 and keeps the old lists: its exit status does not show the error.
      expect(said).toMatch(/EXPKEYSIG/);
      const published = new Date('2026-11-01T08:00:00Z');
      expect(listOf(snapshot, 'two')).toMatchObject({
        publishedAt: published,
        at: published,
        error: expect.stringMatching(/^the key [0-9A-F]+ that signs it has expired$/),
      });
      expect(listOf(snapshot, 'one').error).toBe('');
    },
  );

  it('does not report a key as expired if another keyring has it with a later expiry', async () => {
    const { snapshot } = await snapshotAfter(
      `cp /etc/apt/keyrings/two.gpg /etc/apt/trusted.gpg.d/renewed.gpg; end_key two; ${updateAgain()}`,
      `${asNobody} sh /host/collector-apt.sh`,
    );
    expect(listOf(snapshot, 'two').error).toBe('');
  });

  it('reads armoured keys', async () => {
    const { snapshot } = await snapshotAfter(
      `end_key two; gpg --batch --armor --export two@example.org >/etc/apt/keyrings/two.asc
      rm /etc/apt/keyrings/two.gpg; sed -i s/two.gpg/two.asc/ /etc/apt/sources.list; ${updateAgain()}`,
      `${asNobody} sh /host/collector-apt.sh`,
    );
    expect(listOf(snapshot, 'two').error).toMatch(/^the key [0-9A-F]+ that signs it has expired$/);
  });

  it('reports a repository whose newer copy apt refused because its Origin changed', async () => {
    const { snapshot, said } = await snapshotAfter(
      `publish two Renamed 'Fri, 20 Nov 2026 08:00:00 UTC'; ${updateAgain()}`,
    );
    expect(said).toContain("changed its 'Origin' value from 'Example' to 'Renamed'");
    expect(listOf(snapshot, 'two')).toMatchObject({
      publishedAt: new Date('2026-11-01T08:00:00Z'),
      error: 'apt fetched a newer copy and refused it',
    });
  });

  it('reports Valid-Until, and a copy that was fetched after its Valid-Until', async () => {
    const until = 'Valid-Until: Mon, 02 Nov 2026 08:00:00 UTC';
    const { snapshot, said } = await snapshotAfter(
      `publish two Example 'Sun, 01 Nov 2026 08:00:00 UTC' '${until}'; update -o Acquire::Check-Valid-Until=false
      next_second; publish two Example 'Sun, 01 Nov 2026 09:00:00 UTC' '${until}'; ${updateAgain()}`,
    );
    expect(said).toMatch(/is expired|is not valid/);
    expect(listOf(snapshot, 'two')).toMatchObject({
      publishedAt: new Date('2026-11-01T08:00:00Z'),
      validUntil: new Date('2026-11-02T08:00:00Z'),
      error: 'apt fetched a newer copy and refused it',
    });
  });
});

function entry(name: string, publishedAt: string): Omit<RepositoryRefresh, 'at'> {
  return {
    repositoryId: `_srv_${name}_dists_stable`,
    publishedAt: new Date(publishedAt),
    validUntil: null,
    error: '',
  };
}
