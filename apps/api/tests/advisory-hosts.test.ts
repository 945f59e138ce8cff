import { type AdvisoryFleet, advisoryFleetPerFile } from './advisory-fleet.ts';

const fleet = advisoryFleetPerFile();

const get: AdvisoryFleet['get'] = (path) => fleet.get(path);
const pages: AdvisoryFleet['pages'] = (path, limit) => fleet.pages(path, limit);
const namesOf = (rows: readonly { display_name: string }[]) => rows.map((row) => row.display_name);

describe('the hosts of an advisory', () => {
  it('are those on which it is a finding, with its state there, and only approved ones', async () => {
    const { body, headers } = await get('/advisories/DEBIAN-CVE-2024-6387/hosts');
    expect(namesOf(body)).toEqual(['alpha', 'bravo']);
    expect(headers['x-total-count']).toBe('2');
    expect(body[0]).toEqual({
      host_id: fleet.hosts.get('alpha')?.id,
      display_name: 'alpha',
      hostname: 'alpha',
      os_name: 'debian',
      os_version: '12.8',
      tags: [],
      packages: [
        {
          name: 'openssh-server',
          architecture: 'amd64',
          installed_version: '1:9.2p1-2+deb12u2',
          source_name: 'openssh',
          source_version: '1:9.2p1-2+deb12u2',
          severity: 'critical',
          fixed_version: '1:9.2p1-2+deb12u3',
          fix_state: 'installable',
          candidate_version: '1:9.2p1-2+deb12u3',
          advisory_ids: ['DEBIAN-CVE-2024-6387'],
        },
      ],
    });
    expect(body[1].packages[0].fix_state).toBe('not_in_repositories');
  });

  it('of an erratum are those of the records that it covers', async () => {
    const { body } = await get('/advisories/DSA-5724-1/hosts');
    expect(namesOf(body)).toEqual(['alpha', 'bravo']);
    expect(body[0].packages[0].advisory_ids).toEqual(['DEBIAN-CVE-2024-6387']);
  });

  it('without a fix are listed as such', async () => {
    const { body } = await get('/advisories/DEBIAN-CVE-2023-45853/hosts');
    expect(namesOf(body)).toEqual(['alpha', 'bravo', 'golf']);
    expect(body[2].packages[0]).toMatchObject({ fix_state: 'no_fix', fixed_version: null });
  });

  it('of a kernel are those that run it, not those that only have it installed', async () => {
    const { body } = await get('/advisories/DEBIAN-CVE-2024-9999/hosts');
    expect(namesOf(body)).toEqual(['echo', 'hotel']);
    expect(body[1].packages).toEqual([expect.objectContaining({ fix_state: 'held' })]);
    expect(body[0].packages).toEqual([
      expect.objectContaining({ name: 'linux-image-6.1.0-28-amd64', fix_state: 'pending_reboot' }),
    ]);
  });

  it('of a negligible one are listed on request', async () => {
    expect((await get('/advisories/DEBIAN-CVE-2022-3715/hosts')).body).toEqual([]);
    const { body, headers } = await get('/advisories/DEBIAN-CVE-2022-3715/hosts?include_hidden=true');
    expect([namesOf(body), headers['x-total-count']]).toEqual([['alpha', 'bravo'], '2']);
    expect(body[0].packages[0].severity).toBe('none');
  });

  it.each([1, 2, 3])('are listed in pages of %d', async (limit) => {
    const { rows, totals } = await pages('/advisories/DEBIAN-CVE-2023-45853/hosts', limit);
    expect([namesOf(rows), totals]).toEqual([['alpha', 'bravo', 'golf'], ['3']]);
  });
});

describe('the hosts of a package', () => {
  it('are all hosts that have it, with the installed versions', async () => {
    const { body, headers } = await get('/packages?name=openssh-server');
    expect([namesOf(body), headers['x-total-count']]).toEqual([['alpha', 'bravo', 'charlie'], '3']);
    expect(body[0].packages).toEqual([
      {
        name: 'openssh-server',
        architecture: 'amd64',
        version: '1:9.2p1-2+deb12u2',
        source_name: 'openssh',
        source_version: '1:9.2p1-2+deb12u2',
        vendor: '',
        module: '',
        held: false,
        comparison: null,
        epochs: null,
      },
    ]);
    expect(headers['plimsoll-epochs']).toBeUndefined();
  });

  it('installed nowhere are an empty list', async () => {
    for (const name of ['nothing', '%25', "'", 'openssh']) {
      expect((await get(`/packages?name=${name}`)).body).toEqual([]);
    }
  });

  it.each([
    ['', '/name'],
    ['?name=', '/name'],
    ['?name=%00', '/name'],
    ['?name=bash&version_lt=', '/version_lt'],
    ['?name=bash&version_lt=a%20b', '/version_lt'],
    ['?name=bash&name=zsh', '/name'],
  ])('are not given for "%s"', async (query, pointer) => {
    const { status, body } = await get(`/packages${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
