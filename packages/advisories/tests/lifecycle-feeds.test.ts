import type { Release } from '@plimsoll/model';
import {
  distributionOf,
  type FeedReading,
  feedsOf,
  filesToSync,
  type ReleaseLifecycle,
  supportEndOf,
} from '../src/index.ts';
import { pro } from './ubuntu-host.ts';

const feedOf = (distribution: string) => {
  const feed = feedsOf('lifecycles').find((entry) => entry.distribution === distribution);
  if (feed === undefined) throw new Error(`no lifecycles of ${distribution}`);
  return feed;
};

/** A row in the form of the file's reader. */
const rowOf = (header: string, line: string) => {
  const values = line.split(',');
  return Object.fromEntries(header.split(',').map((column, n) => [column, values[n] ?? '']));
};
const debianColumns = 'version,codename,series,created,release,eol,eol-lts,eol-elts';
const ubuntuColumns = 'version,codename,series,created,release,eol,eol-server,eol-esm,eol-legacy';
const debian = (line: string) => feedOf('debian').read(rowOf(debianColumns, line), { release: null });
const ubuntu = (line: string) => feedOf('ubuntu').read(rowOf(ubuntuColumns, line), { release: null });

const said = (reading: FeedReading<ReleaseLifecycle>) =>
  reading.kind === 'read'
    ? reading.items.flatMap(({ release, lifecycle }) => [
        release,
        lifecycle.endsAt.toISOString().slice(0, 10),
        ...(lifecycle.extended ?? []).map(
          ({ service, endsAt }) => `${service} ${endsAt.toISOString().slice(0, 10)}`,
        ),
      ])
    : reading.reason;

describe('lifecycles of Fedora by Bodhi', () => {
  const row = { name: 'F44', version: '44', id_prefix: 'FEDORA', state: 'current', eol: '2027-05-26' };
  const read = (rest: object) => feedOf('fedora').read({ ...row, ...rest }, { release: null });

  it('end after the last day of support', () => {
    expect(said(read({}))).toEqual(['fedora:44', '2027-05-27']);
  });

  it.each([
    [{ eol: null }, 'no_end'],
    [{ eol: '' }, 'no_end'],
    [{ id_prefix: 'FEDORA-EPEL', name: 'EPEL-9', version: '9' }, 'other_feed'],
    [{ name: 'F44M' }, 'no_release_number'],
    [{ name: 'Frawhide', version: 'rawhide' }, 'no_release_number'],
    [{ version: 44 }, 'no_release_number'],
  ])('are not in %j', (rest, reason) => {
    expect(read(rest)).toEqual({ kind: 'skipped', reason });
  });

  it.each(['2027-02-31', 'never', 20270526, {}])('with the end %j are rejected', (eol) => {
    expect(read({ eol })).toEqual({ kind: 'rejected', reason: 'invalid_date' });
  });

  it('take precedence over the dates in the code, and know releases that it does not', () => {
    const published = { endsAt: new Date('2027-05-27T00:00:00Z') };
    expect(supportEndOf('fedora:64' as Release, null)).toBeNull();
    expect(supportEndOf('fedora:44' as Release, null, published)).toEqual(published.endsAt);
  });
});

describe('lifecycles by distro-info-data', () => {
  it.each([
    ['16,Elbe,elbe,2029-08-01,2031-08-01,2034-08-01,2036-06-30', ['debian:16', '2036-07-01']],
    ['16,Elbe,elbe,2029-08-01,2031-08-01,2034-08-01', ['debian:16', '2034-08-02']],
    [
      '11,Bullseye,bullseye,2019-07-06,2021-08-14,2024-08-14,2026-08-31,2031-06-30',
      ['debian:11', '2026-09-01', 'elts 2031-07-01'],
    ],
    ['14,Forky,forky,2025-08-09', 'no_end'],
    [',Sid,sid,1993-08-16', 'no_release_number'],
    ['1.1,Buzz,buzz,1993-08-16,1996-06-17,1997-06-05', 'no_release_number'],
  ])('end after the last day of support for all users of Debian: %s', (line, expected) => {
    expect(said(debian(line))).toEqual(expected);
  });

  it.each([
    [
      '28.04 LTS,Xeric Xenops,xeric,2027-10-15,2028-04-20,2033-05-31,2033-05-31,2038-04-20,2040-04-20',
      ['ubuntu:28.04', '2033-06-01', 'esm-infra 2038-04-21', 'esm-infra-legacy 2040-04-21'],
    ],
    ['27.04,Any Animal,any,2026-10-15,2027-04-15,2028-01-15', ['ubuntu:27.04', '2028-01-16']],
  ])('end after the last day of support for all users of Ubuntu: %s', (line, expected) => {
    expect(said(ubuntu(line))).toEqual(expected);
  });

  it.each([
    ['12,B,b,2021-08-14,2023-06-10,2026-02-31', 'invalid_date'],
    ['12,B,b,2021-08-14,2023-06-10,soon', 'invalid_date'],
    ['12,B,b,2021-08-14,2023-06-10,2022-06-10', 'ends_out_of_order'],
    ['12,B,b,2021-08-14,2023-06-10,2028-06-30,2026-07-11', 'ends_out_of_order'],
  ])('are not read from an invalid row: %s', (line, reason) => {
    expect(debian(line)).toEqual({ kind: 'rejected', reason });
  });

  it("skip the other distribution's table", () => {
    expect(
      feedOf('debian').read(rowOf(ubuntuColumns, '22.04 LTS,J,j,,,2027-06-01'), { release: null }),
    ).toMatchObject({
      kind: 'skipped',
    });
    expect(
      feedOf('ubuntu').read(rowOf(debianColumns, '12,B,b,,,2026-07-11'), { release: null }),
    ).toMatchObject({
      kind: 'skipped',
    });
  });

  it('are fetched only for fleets that run the distribution', () => {
    const wanted = (fleet: readonly string[]) =>
      feedsOf('lifecycles')
        .filter(({ id }) => filesToSync(id, { kind: 'auto' }, fleet as Release[]).length > 0)
        .map(({ id }) => id);
    expect(wanted(['debian:12', 'rocky:9'])).toEqual(['debian-lifecycles']);
    expect(wanted(['ubuntu:24.04'])).toEqual(['ubuntu-lifecycles']);
    expect(wanted(['rocky:9'])).toEqual([]);
  });
});

describe('the end of support', () => {
  const published = {
    endsAt: new Date('2031-01-01'),
    extended: [{ service: 'esm-infra', endsAt: new Date('2033-01-01') }],
  };

  it('is the feed’s, including releases unknown to this version', () => {
    expect(supportEndOf('debian:12' as Release, null, published)).toEqual(published.endsAt);
    expect(distributionOf('debian:99' as Release)?.lifecycleOf('debian:99' as Release)).toBeNull();
    expect(supportEndOf('debian:99' as Release, null, published)).toEqual(published.endsAt);
  });

  it('is the built-in table’s if no feed has it', () => {
    expect(supportEndOf('debian:12' as Release, null, null)?.toISOString()).toBe('2028-07-01T00:00:00.000Z');
  });

  it('is later only for hosts with a service that the feed lists as extension', () => {
    expect(supportEndOf('ubuntu:28.04' as Release, pro('esm-infra'), published)?.getUTCFullYear()).toBe(2033);
    expect(supportEndOf('ubuntu:28.04' as Release, null, published)?.getUTCFullYear()).toBe(2031);
  });
});
