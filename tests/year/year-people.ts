import type { YearAnswer, YearClient } from './year-client.ts';
import type { YearHosts } from './year-hosts.ts';

const dayMs = 86_400_000;
/** Their working day begins at nine by UTC. */
const firstHour = 9;

const admin = { email: 'admin@example.org', password: 'correct horse battery' };
const operator = { email: 'operator@example.org', password: 'a first password of the year' };
const viewer = { email: 'viewer@example.org', password: 'a first password of the year' };

/** The users of a year: they sign in, change passwords and roles, and what they add ends at its time. */
export interface YearPeople {
  /** The first admin sets the service up and enrols `hosts` hosts; `receiver`: the address of a webhook. */
  begin(at: Date, options: { readonly hosts: number; readonly receiver: string }): Promise<void>;
  /** What is done in an hour of the year. `advisories`: the known ones, newest first. */
  act(hour: number, at: Date, advisories: readonly string[]): Promise<void>;
  /** An API key that reads the state of the service. */
  readonly monitoringKey: string;
}

/** People who use the service through `client`; nothing is set up yet. */
export function createYearPeople(client: YearClient, hosts: YearHosts): YearPeople {
  /** What is done at a later hour. */
  const later: { readonly hour: number; readonly run: () => Promise<void> }[] = [];
  const passwords = new Map([admin, operator, viewer].map(({ email, password }) => [email, password]));
  let monitoringKey = '';

  const signIn = async (email: string): Promise<string> => {
    const answer = await client.ok('POST', '/auth/login', {
      body: { email, password: passwords.get(email) },
    });
    return String(answer['token']);
  };
  const userId = async (token: string, email: string): Promise<string> => {
    const users = (await client.ok('GET', '/users', { token })) as unknown as readonly UserRow[];
    const user = users.find((one) => one.email === email);
    if (user === undefined) throw new Error(`there is no user ${email}`);
    return user.id;
  };
  const change = async (token: string, email: string, body: object): Promise<void> => {
    await client.ok('PATCH', `/users/${await userId(token, email)}`, { token, body });
  };
  const registrationToken = async (token: string, body: object): Promise<string> => {
    const issued = await client.ok('POST', '/registration-tokens', { token, body });
    return String(issued['token']);
  };

  const browse = async (email: string, hour: number): Promise<void> => {
    const body = { email, password: passwords.get(email), refresh_cookie: true };
    let answer: YearAnswer = await client.send('POST', '/auth/login', { body });
    for (let n = 1; n <= 3; n += 1)
      later.push({
        hour: hour + n,
        async run() {
          // Ended meanwhile, if the user or an admin changed something about it.
          if (answer.status !== 200) return;
          const headers = { cookie: answer.cookies, 'sec-fetch-site': 'same-origin' };
          answer = await client.send('POST', '/auth/refresh', { headers });
          const { token } = answer.body as { readonly token?: string };
          if (answer.status === 200)
            for (const path of pages) await client.ok('GET', path, { token: token ?? '' });
        },
      });
  };

  const deeds: readonly Deed[] = [
    { every: 1, on: 0, run: ({ hour }) => browse(operator.email, hour) },
    { every: 1, on: 0, run: ({ hour }) => browse(viewer.email, hour) },
    {
      every: 2,
      on: 1,
      async run() {
        for (let n = 0; n < 3; n += 1) {
          const body = { email: `nobody-${n}@example.org`, password: 'no password at all' };
          expectStatus(await client.send('POST', '/auth/login', { body }), 401);
        }
      },
    },
    {
      every: 7,
      on: 1,
      async run({ token, day }) {
        const password = `the viewer's password of day ${day}`;
        await change(token, viewer.email, { password });
        passwords.set(viewer.email, password);
      },
    },
    {
      every: 7,
      on: 4,
      async run({ day }) {
        const token = await signIn(operator.email);
        const next = `the operator's password of day ${day}`;
        const body = { current_password: passwords.get(operator.email), new_password: next };
        await client.ok('POST', '/auth/password', { token, body });
        passwords.set(operator.email, next);
      },
    },
    { every: 10, on: 2, run: ({ token }) => change(token, viewer.email, { role: 'operator' }) },
    { every: 10, on: 7, run: ({ token }) => change(token, viewer.email, { role: 'viewer' }) },
    { every: 12, on: 3, run: ({ token }) => change(token, viewer.email, { disabled: true }) },
    { every: 12, on: 4, run: ({ token }) => change(token, viewer.email, { disabled: false }) },
    {
      every: 12,
      on: 9,
      async run({ token }) {
        const id = await userId(token, operator.email);
        await client.ok('DELETE', `/sessions?user_id=${id}`, { token });
      },
    },
    {
      every: 5,
      on: 0,
      async run({ token, day, hour }) {
        const email = `guest-${day}@example.org`;
        const body = { email, role: 'viewer', expires_in_hours: 24 };
        const invited = await client.ok('POST', '/users/invitations', { token, body });
        // Every other one is never accepted.
        if (day % 10 === 5) return;
        const accepted = { token: invited['token'], password: 'a password of a guest' };
        later.push({
          hour: hour + 2,
          run: async () => void (await client.ok('POST', '/auth/accept-invitation', { body: accepted })),
        });
        later.push({
          hour: hour + 9 * 24,
          async run() {
            const session = await signIn(admin.email);
            await client.ok('DELETE', `/users/${await userId(session, email)}`, { token: session });
          },
        });
      },
    },
    {
      every: 8,
      on: 1,
      async run({ at, hour }) {
        const token = await signIn(operator.email);
        const body = { name: 'a script', role: 'viewer', expires_at: after(at, 4) };
        const { key } = await client.ok('POST', '/api-keys', { token, body });
        const use = (wanted: number) => async () =>
          expectStatus(await client.send('GET', '/hosts', { token: String(key) }), wanted);
        later.push({ hour: hour + 3 * 24, run: use(200) }, { hour: hour + 4 * 24 + 1, run: use(401) });
      },
    },
    {
      every: 6,
      on: 3,
      async run({ at, advisories }) {
        const [advisory] = advisories;
        if (advisory === undefined) return;
        const token = await signIn(operator.email);
        const scope = { advisories: [advisory], all_hosts: true };
        const body = { kind: 'risk_accepted', ...scope, reason: 'later', expires_at: after(at, 3) };
        await client.ok('POST', '/waivers', { token, body });
      },
    },
    {
      every: 9,
      on: 5,
      async run({ token, hour }) {
        const one = { name: 'a short-lived host', auto_approve: true, max_uses: 2, expires_in_hours: 24 };
        const host = await hosts.enrol(await registrationToken(token, one));
        later.push({
          hour: hour + 5 * 24,
          async run() {
            const path = `/hosts/${hosts.idOf(host)}`;
            hosts.forget(host);
            await client.ok('DELETE', path, { token: await signIn(admin.email) });
          },
        });
      },
    },
    {
      every: 4,
      on: 2,
      async run({ token }) {
        await client.ok('POST', '/auth/download', { token, body: { path: '/api/v1/vex?format=csaf' } });
      },
    },
    {
      every: 15,
      on: 6,
      async run({ token, day }) {
        const rules = [
          { severity: 'critical', days: 7 + (day % 2), clock: 'published' },
          { days: 30, clock: 'installed' },
        ];
        await client.ok('PUT', '/policies/due-dates', { token, body: { rules } });
      },
    },
    {
      every: 30,
      on: 8,
      async run({ token, day }) {
        const body = { name: `plan of day ${day}`, hosts: [0, 1, 2].map((host) => hosts.idOf(host)) };
        const plan = await client.ok('POST', '/saved-plans', { token, body });
        later.push({
          hour: day * 24 + firstHour + 20 * 24,
          async run() {
            await client.ok('DELETE', `/saved-plans/${plan['id']}`, { token: await signIn(admin.email) });
          },
        });
      },
    },
  ];

  return {
    get monitoringKey() {
      return monitoringKey;
    },
    async begin(at, { hosts: count, receiver }) {
      const { token: first } = await client.ok('POST', '/setup/complete', { body: admin });
      const token = String(first);
      for (const { email, password } of [operator, viewer])
        await client.ok('POST', '/users', {
          token,
          body: { email, password, role: email === viewer.email ? 'viewer' : 'operator' },
        });
      const key = { name: 'monitoring', role: 'admin', expires_at: after(at, 400) };
      monitoringKey = String((await client.ok('POST', '/api-keys', { token, body: key }))['key']);
      const many = { name: 'the fleet', auto_approve: true, max_uses: count };
      const registration = await registrationToken(token, many);
      for (let n = 0; n < count; n += 1) await hosts.enrol(registration);
      const body = { name: 'script', kind: 'webhook', url: receiver, secret: 'a secret of sixteen' };
      const channel = await client.ok('POST', '/channels', { token, body });
      for (const route of [
        { name: 'all', quiet_hours: { from: '22:00', to: '06:00', time_zone: 'Europe/Berlin' } },
        { name: 'daily', digest: { every: 'day', at: '08:00', time_zone: 'Europe/Berlin' } },
      ])
        await client.ok('POST', '/routes', { token, body: { ...route, events, channel_id: channel['id'] } });
    },
    async act(hour, at, advisories) {
      for (const deed of later.splice(0).filter((one) => {
        if (one.hour <= hour) return true;
        later.push(one);
        return false;
      }))
        await deed.run();
      if (hour % 24 !== firstHour) return;
      const day = Math.floor(hour / 24);
      const token = await signIn(admin.email);
      for (const { every, on, run } of deeds)
        if (day % every === on) await run({ token, day, hour, at, advisories });
    },
  };
}

const pages = ['/hosts', '/fleet/summary', '/fleet/trend', '/findings', '/repositories?outdated=true'];

const events = [
  'finding.new',
  'finding.known_exploited',
  'finding.overdue',
  'host.enrolled',
  'host.stale',
  'host.back',
  'repository.outdated',
  'feed.failed',
  'feed.stale',
  'waiver.expiring',
];

interface UserRow {
  readonly id: string;
  readonly email: string;
}

/** Something that is done every so many days. */
interface Deed {
  readonly every: number;
  readonly on: number;
  readonly run: (hour: {
    /** Of an admin who has just signed in. */
    readonly token: string;
    readonly day: number;
    readonly hour: number;
    readonly at: Date;
    readonly advisories: readonly string[];
  }) => Promise<void>;
}

function after(time: Date, days: number): string {
  return new Date(time.getTime() + days * dayMs).toISOString();
}

function expectStatus({ status, body }: YearAnswer, wanted: number): void {
  if (status !== wanted) throw new Error(`answered ${status} instead of ${wanted}: ${JSON.stringify(body)}`);
}
