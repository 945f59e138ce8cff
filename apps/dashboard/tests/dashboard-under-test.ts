import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  describeWhere,
  type ServiceOptions,
  setUpClient,
  startedPer,
  startService,
  type TestDatabase,
  type TestService,
} from '@plimsoll/testing';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Debian's Chromium; `.ci/run` installs it. */
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
/** What this machine lacks for browser tests; null if nothing. */
const missingForBrowser: readonly string[] = existsSync(chromiumPath) ? [] : ['chromium'];

const projectDir = path.resolve(__dirname, '../../..');
/** Where screenshots go; null without `TESTS_SCREENSHOTS=1`. */
const screenshotDir =
  process.env['TESTS_SCREENSHOTS'] === '1' ? path.resolve(__dirname, '../screenshots') : null;

export const adminEmail = 'admin@example.org';
export const adminPassword = 'correct horse battery';

/** The real service with its dashboard, and a browser. */
export interface DashboardUnderTest {
  readonly service: TestService;
  readonly database: TestDatabase;
  /** A page with its own browser profile, without a session. The next test that opens one closes it. */
  open(place?: string): Promise<Page>;
  /** Sets the service up once and returns a client of its administrator. */
  setUp(): Promise<Client>;
  /** A page with a signed-in user; default: the administrator. */
  openAs(place: string, user?: { readonly email: string; readonly password: string }): Promise<Page>;
  /** What pages wrote to their consoles since the last call: errors, and violations of the Content-Security-Policy. */
  complaints(): readonly string[];
  stop(): Promise<void>;
}

type Settings = Partial<Pick<ServiceOptions, 'apps' | 'env'>>;

/** What reports and feeds need: each other app costs seconds of a test's time. */
const usualApps = ['api', 'report-worker', 'advisory-worker', 'scheduler'] as const;

/**
 * The apps and the environment of a service, or what makes them; default: the usual apps. `missing`: what else this machine
 * lacks.
 */
type Start = (Settings & { readonly missing?: readonly string[] }) | (() => Promise<Settings>);

/**
 * A group of tests with a service, its dashboard and a browser of their own. Each test fails if a page wrote anything unexpected to
 * its console.
 */
export function describeDashboard(
  name: string,
  start: Start,
  group: (dashboard: DashboardUnderTest) => void,
): void {
  const { missing = [], ...settings } = typeof start === 'function' ? {} : start;
  describeWhere([...missingForBrowser, ...missing], name, () => {
    const dashboard = startedPer(
      'file',
      async () => startDashboard(typeof start === 'function' ? await start() : settings),
      (started) => started.stop(),
    );
    afterEach(() => expect(dashboard.complaints()).toEqual([]));
    group(dashboard);
  });
}

/** Starts the service as real processes on a new database, and Chromium. */
async function startDashboard(options: Settings): Promise<DashboardUnderTest> {
  const database = await createTestDatabase();
  const service = await startService({
    projectDir,
    databaseUrl: database.url,
    queue: { kind: 'postgres' },
    apps: usualApps,
    ...options,
  });
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath,
    // Chromium has no sandbox as root, and small containers have little shared memory. The test uses a host name
    // because a browser trusts 127.0.0.1 like https.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--host-resolver-rules=MAP plimsoll.test 127.0.0.1',
    ],
  });
  const complaints: string[] = [];
  /** With the test that opened it; undefined: before the tests. */
  const contexts = new Map<BrowserContext, string | undefined>();
  let client: Promise<Client> | null = null;
  const setUp = () => {
    client ??= setUpClient(service.url);
    return client;
  };
  const closeThoseOfOtherTests = async (test: string | undefined): Promise<void> => {
    for (const [context, opener] of contexts) {
      if (opener === undefined || opener === test) continue;
      contexts.delete(context);
      await context.close();
      // What a page says that is closed while it loads does not fail the next test.
      complaints.splice(0);
    }
  };
  const open = async (place = '/'): Promise<Page> => {
    const { currentTestName } = expect.getState();
    // Open pages follow every change and take processor time from this test.
    await closeThoseOfOtherTests(currentTestName);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    contexts.set(context, currentTestName);
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    page.on('console', (message) => {
      // The page itself shows a refused request.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${service.url}${place}`);
    return page;
  };
  return {
    service,
    database,
    open,
    setUp,
    async openAs(place, user = { email: adminEmail, password: adminPassword }) {
      await setUp();
      const page = await open(place);
      await signIn(page, user);
      return page;
    },
    complaints: () => complaints.splice(0),
    async stop() {
      await Promise.all([...contexts.keys()].map((context) => context.close()));
      await browser.close();
      await service.stop();
      await database.drop();
    },
  };
}

/** Ends the sessions of all browsers, as the list of sessions does. */
export async function endBrowserSessions({ database }: DashboardUnderTest): Promise<void> {
  await database.db.prisma.session.deleteMany({ where: { kind: 'browser' } });
}

/** Signs in on the sign-in page. */
export async function signIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

/**
 * Violations that axe finds on a page (WCAG 2.2 AA and best practices), each with its place; null: by every rule.
 */
async function accessibilityFaults(page: Page, rules: readonly string[] | null): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (only) => {
    const { axe: checker } = window as unknown as { axe: typeof import('axe-core') }; // set by the line above
    // React Aria's announcer keeps messages for seconds that may refer to removed elements.
    const context = { include: [['html']], exclude: [['[data-live-announcer]']] };
    const runOnly = only === null ? {} : { runOnly: { type: 'rule' as const, values: [...only] } };
    return (await checker.run(context, { resultTypes: ['violations'], ...runOnly })).violations;
  }, rules);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
  );
}

/** The words in heads of tables that are broken over two lines. */
function brokenHeaders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    for (const head of document.querySelectorAll('th')) {
      const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        // Text for screen readers only is one pixel wide.
        if ((node.parentElement?.offsetWidth ?? 0) <= 1) continue;
        for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[\p{L}\d]+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  });
}

/** The dark theme has the same document and other colours: only the rules about colours can find more there. */
const looks = [
  { name: 'light', width: 1440, height: 900, theme: 'light', rules: null },
  { name: 'dark', width: 1440, height: 900, theme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
  { name: 'phone', width: 360, height: 780, theme: 'light', rules: null },
] as const;

/**
 * Checks a page in light, in dark and on a phone: axe finds no violation, nothing is wider than the screen, and heads of
 * tables have whole words. With `TESTS_SCREENSHOTS=1`, saves a screenshot of each in apps/dashboard/screenshots.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const { name: look, width, height, theme, rules } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await settle(page);
    expect({ look, faults: await accessibilityFaults(page, rules) }).toEqual({ look, faults: [] });
    const isWider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect({ look, isWider }).toEqual({ look, isWider: false });
    expect({ look, broken: await brokenHeaders(page) }).toEqual({ look, broken: [] });
    if (screenshotDir !== null) await saveScreenshot(page, path.join(screenshotDir, `${name}.${look}.png`));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Checks that a table is as wide as its frame on these screens: nothing of it is cut off until one scrolls. */
export async function expectWholeTable(
  page: Page,
  name: string,
  widths: readonly number[] = [1440, 1024],
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const table = page.getByRole('table', { name, exact: true });
    const hidden = await table.evaluate((own) => {
      let frame = own.parentElement;
      while (frame !== null && !/auto|scroll/.test(getComputedStyle(frame).overflowX))
        frame = frame.parentElement;
      return frame === null ? 0 : frame.scrollWidth - frame.clientWidth;
    });
    expect({ width, hidden }).toEqual({ width, hidden: 0 });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function saveScreenshot(page: Page, file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // Sticky elements belong at the top of the screenshot.
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: file, fullPage: true });
}

/** Waits until animations end: an intermediate colour has no meaningful contrast. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // The animation of a removed element ends with a cancellation.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** Waits until the list of hosts says so many, as words: `2 hosts`. */
export function listOfHostsSays(page: Page, words: string): Promise<void> {
  return page
    .getByRole('region', { name: 'List of hosts' })
    .getByRole('status')
    .getByText(words, { exact: true })
    .waitFor();
}

/** Chooses an option of a select. */
export async function choose(page: Page, select: string | RegExp, option: string): Promise<void> {
  await page.getByRole('button', { name: select }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
