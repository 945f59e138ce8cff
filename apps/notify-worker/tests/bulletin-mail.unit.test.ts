import { nextBulletin } from '../src/schedule/next-bulletin.ts';
import { bulletinMailOf, sampleContents } from './sample-bulletin.ts';

it('says first what is not known, then what is open, overdue, first and new, the same as text and HTML', () => {
  const { subject, text, html, attachments } = bulletinMailOf();
  expect(subject).toBe(
    '[Plimsoll] Web <b>servers</b>: at least 3 open findings with a fix, 2 overdue, 1 known to be exploited',
  );
  const parts = [
    'On 2 hosts the numbers below are lower bounds.',
    '2 findings on 1 host are overdue (+2).',
    'DSA-1-1',
    'Compared with 16 Nov 2026 10:14 UTC',
  ];
  for (const body of [text, html]) {
    const places = parts.map((part) => body.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  }
  expect(attachments).toMatchObject([{ filename: 'plimsoll-findings-2026-11-23.csv', content: 'a,b\r\n' }]);
});

it('shows hostile text as text, loads nothing, and sets both colours wherever it sets one', () => {
  const { html } = bulletinMailOf();
  expect(html).not.toMatch(/<script|<b>servers|<img|<link|url\(|@import/);
  expect(html).toContain('openssh Bcc: x &lt;script&gt;');
  for (const [, style = ''] of html.matchAll(/style="([^"]*)"/g))
    if (/(^|;)color:/.test(style)) expect(style).toContain('background-color:');
});

it('gets no link from names', () => {
  const link = 'https://evil.example/login';
  const [row] = sampleContents.first;
  const { changes } = sampleContents;
  const mail = bulletinMailOf({
    name: link,
    about: { kind: 'group', name: link },
    limited_to: [link],
    first: row === undefined ? [] : [{ ...row, key: link, title: link }],
    changes: changes === null ? null : { ...changes, added_first: [{ key: link, title: link, hosts: 1 }] },
  });
  const said = [mail.subject, mail.text, mail.html].join();
  expect(said.match(/[^\s"]*(?::\/\/evil|evil\.example\/)[^\s"]*/g)).toBeNull();
  expect(said).toContain('https://plimsoll.example/bulletins/');
});

it('never reads as safe without knowledge', () => {
  const nothing = {
    open: sampleContents.open.map((row) => ({ ...row, findings: 0, hosts: 0 })),
    overdue: { findings: 0, hosts: 0 },
    first: [],
    advisories: 0,
    changes: null,
  };
  expect(bulletinMailOf({ ...nothing, hosts: 0, gaps: [], unknown_hosts: 0 }).text).toContain(
    'No host is in this report: nothing is known, neither good nor bad.',
  );
  expect(bulletinMailOf({ ...nothing, has_due_policy: false }).text).toContain(
    'No policy of due dates is set, so nothing is due.',
  );
  expect(bulletinMailOf(nothing).text).toContain('No advisory has open findings on hosts that are counted.');
});

it('says that due dates depend on CISA SSVC where CISA KEV is current', () => {
  const quiet = { unknown_hosts: 0, gaps: [], due_exploitation_unknown: true };
  const { text, html } = bulletinMailOf(quiet);
  for (const body of [text, html]) {
    expect(body).toContain('The feed cisa-ssvc was never synced or is outdated. Due dates depend on it');
    expect(body).not.toContain('Nothing is known to be missing');
  }
});

it('says before what to do first that evidence comes first, if the due dates ask for it', () => {
  const words = 'it says whether evidence is to be taken first.';
  const { text, html } = bulletinMailOf({ due_forensics: true });
  for (const body of [text, html]) {
    expect(body).toContain(words);
    expect(body.indexOf(words)).toBeLessThan(body.indexOf('DSA-1-1'));
  }
  expect(bulletinMailOf({ due_forensics: true, advisories: 0, first: [] }).text).not.toContain(words);
  expect(bulletinMailOf().text).not.toContain(words);
});

it('does not take the silence of CISA’s catalog for an answer without its data', () => {
  const quiet = { known_exploited: { findings: 0, hosts: 0 }, unknown_hosts: 0, gaps: [] };
  const known = 'Nothing is known to be missing';
  const none = 'No open finding is known to be exploited.';
  const current = bulletinMailOf(quiet);
  const never = bulletinMailOf({ ...quiet, exploited_data: { freshness: 'never_synced', updated_at: null } });
  const updated_at = '2026-11-13T06:00:00.000Z';
  const old = bulletinMailOf({ ...quiet, exploited_data: { freshness: 'outdated', updated_at } });
  for (const body of ['text', 'html'] as const) {
    expect(current[body]).toContain(none);
    expect(current[body]).toContain(known);
    for (const mail of [never, old]) {
      expect(mail[body]).not.toContain(none);
      expect(mail[body]).not.toContain(known);
    }
    expect(never[body]).toContain('the feed cisa-kev was never synced');
    expect(old[body]).toContain('No open finding was known to be exploited as of 13 Nov 2026 06:00 UTC.');
  }
});

it('calls overdue and exploited findings a lower bound while CISA’s catalog is old', () => {
  const old = { freshness: 'outdated', updated_at: '2026-11-13T06:00:00.000Z' } as const;
  const known = { unknown_hosts: 0, gaps: [], exploited_data: old, due_exploitation_unknown: true };
  const some = bulletinMailOf(known);
  expect(some.subject).toContain(': 3 open findings with a fix, at least 2 overdue, at least 1 known');
  const none = bulletinMailOf({ ...known, overdue: { findings: 0, hosts: 0 } });
  const bySeverity = bulletinMailOf({ ...known, due_exploitation_unknown: false });
  for (const body of ['text', 'html'] as const) {
    for (const mail of [some, none])
      expect(mail[body]).toContain('Due dates depend on it: findings may be due earlier than is said here.');
    expect(some[body]).toContain('At least 2 findings on 1 host are overdue (+2).');
    expect(some[body]).toContain('At least 1 finding on 1 host is known to be exploited.');
    expect(none[body]).toContain('No finding is known to be overdue, but some may be');
    expect(bySeverity[body]).not.toContain('Due dates depend on it');
    expect(bySeverity[body]).not.toContain('At least 2 findings');
  }
});

it('names its table incomplete, and attaches the hosts of which not all is known', () => {
  const { attachments, text } = bulletinMailOf({}, 'host_id,host,why\r\n');
  expect(attachments?.map(({ filename }) => filename)).toEqual([
    'plimsoll-findings-2026-11-23-incomplete.csv',
    'plimsoll-not-known-2026-11-23.csv',
  ]);
  expect(text).toContain('The attached table “not known” names the hosts');
  const cut = bulletinMailOf({}, 'host_id,host,why\r\n', 80_000).text;
  expect(cut).toContain('names some of the hosts');
  expect(cut).toContain('It lacks 80,000 further hosts.');
});

it.each([
  ['day', {}, '2026-11-24T07:00:00.000Z'],
  ['week', { weekday: 1 }, '2026-11-30T07:00:00.000Z'],
  ['week', { weekday: 3 }, '2026-11-25T07:00:00.000Z'],
  ['month', { day: 31 }, '2026-11-30T07:00:00.000Z'],
  ['month', { day: 1 }, '2026-12-01T07:00:00.000Z'],
] as const)('is sent every %s at a local time %j', (every, more, at) => {
  const schedule = { every, weekday: 1, day: 1, at: '08:00', timeZone: 'Europe/Berlin', ...more };
  expect(nextBulletin(schedule, new Date('2026-11-23T07:30:00Z')).toISOString()).toBe(at);
});
