import { describeWhere, missingCommands } from '@plimsoll/testing';
import { type LivedYear, liveYear } from './live-year.ts';
import { faketimeFolder } from './world-clock.ts';
import { yearBounds } from './year-bounds.ts';
import { yearFeeds } from './year-feeds.ts';
import { retentionOf } from './year-retention.ts';

/** `npm run test:year` lets 400 days pass. */
const days = Number(process.env['PLIMSOLL_YEAR_DAYS'] ?? 30);

jest.setTimeout(24 * 3_600_000);

const missing = [
  ...(faketimeFolder() === null ? ['libfaketime'] : []),
  ...missingCommands('redis-server', 'openssl'),
];

/** The clock jumps an hour: the lease of a job that runs meanwhile ends, in any worker, and the job is repeated. */
const expected = ['job lost its worker', 'job did not end well', 'queue error'];

const isUnexpected = (warning: string) => !expected.some((message) => warning.endsWith(`: ${message}`));

interface ShownHost {
  readonly coverage: string;
  readonly os_version: string;
}

interface ShownFeed {
  readonly id: string;
  readonly state: string;
  readonly freshness: string;
}

describeWhere(missing, 'a service, day by day', () => {
  let year: LivedYear;
  beforeAll(async () => {
    year = await liveYear(days);
  });
  afterAll(() => year?.stop());

  it('failed at nothing', async () => {
    expect(year.service.errors).toEqual([]);
    const { rounds } = await year.system();
    // Without backup.dir nothing backs up.
    const wanted = rounds.filter(({ name }) => name !== 'back up');
    expect(wanted.filter(({ state, last_error }) => state !== 'ok' || last_error !== null)).toEqual([]);
    expect([...year.service.warnings.keys()].filter(isUnexpected)).toEqual([]);
    const feeds = (await year.get('/feeds')) as readonly ShownFeed[];
    const ours = feeds.filter(({ id }) => yearFeeds.some((feed) => feed === id));
    expect(ours.map(({ id, state, freshness }) => ({ id, state, freshness }))).toEqual(
      [...yearFeeds].sort().map((id) => ({ id, state: 'ok', freshness: 'current' })),
    );
    for (const command of ['verify', 'verify-audit'])
      expect(await year.service.plimsoll(command)).toMatchObject({ code: 0 });
  });

  it('keeps in every table what is promised, and nothing else', async () => {
    const { database } = year.service;
    const bounds = yearBounds(retentionOf(days).days, year.size);
    const { rows } = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    expect(Object.keys(bounds).sort()).toEqual(rows.map(({ name }) => name).sort());
    const beyond: string[] = [];
    for (const [table, bound] of Object.entries(bounds)) {
      const [where, allowed] = bound.kind === 'none' ? [bound.where, '0'] : ['true', bound.rows];
      const counted = await database.query<{ found: number; most: number }>(
        `SELECT count(*)::int AS found, (${allowed})::int AS most FROM "${table}" WHERE ${where}`,
      );
      for (const { found, most } of counted.rows) {
        if (found <= most) continue;
        const { rows: some } = await database.query(`SELECT * FROM "${table}" WHERE ${where} LIMIT 2`);
        beyond.push(`${table}: ${found} rows, not ${most}, such as ${JSON.stringify(some)}`);
      }
    }
    expect(beyond).toEqual([]);
  });

  it('told the news of a day at eight in Berlin, in winter and in summer', () => {
    const sent = year.messages
      .filter(({ headers }) => headers['plimsoll-event'] === 'digest')
      .map(({ headers }) => new Date(Number(headers['plimsoll-timestamp']) * 1_000));
    const hourIn = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/Berlin' });
    expect(new Set(sent.map((time) => hourIn.format(time)))).toEqual(new Set(['08']));
    expect(new Set(sent.map((time) => time.getUTCHours()))).toEqual(new Set([6, 7]));
  });

  it('has the leap day, the end of a release, a current certificate and rotated tokens', async () => {
    expect(JSON.stringify(await year.get('/fleet/trend'))).toContain('"2028-02-29"');
    const { certificate } = await year.system();
    const now = year.service.clock.now().toISOString();
    expect(certificate.not_before < now && now < certificate.not_after).toBe(true);
    expect(year.size.tokens).toBeGreaterThan(30);
    const hosts = (await year.get('/hosts?limit=200')) as readonly ShownHost[];
    const ended = hosts
      .filter(({ coverage }) => coverage === 'eol')
      .map(({ os_version: version }) => version);
    expect(new Set(ended.map((version) => version.split('.')[0]))).toEqual(new Set(['13']));
    // One fell silent, and others do in a longer time.
    expect(await year.get('/hosts?retired=true')).not.toEqual([]);
  });
});
