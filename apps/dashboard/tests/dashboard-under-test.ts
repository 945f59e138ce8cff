import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  type ServiceOptions,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
} from '@plimsoll/testing';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Debian's; `.ci/run` installs it. */
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
/** What a browser test lacks on this machine; nothing where it can run. */
export const missingForBrowser: readonly string[] = existsSync(chromiumPath) ? [] : ['chromium'];

const projectDir = path.resolve(__dirname, '../../..');
const screenshotDir = path.resolve(__dirname, '../screenshots');

export const adminEmail = 'admin@example.org';
export const adminPassword = 'correct horse battery';

/** The real service with its dashboard, and a browser. */
export interface DashboardUnderTest {
  readonly service: TestService;
  readonly database: TestDatabase;
  /** A page of its own browser profile; nobody is signed in. */
  open(place?: string): Promise<Page>;
  /** Sets the service up, once, and returns a client of its admin. */
  setUp(): Promise<Client>;
  /** A page on which a user is signed in; without one the admin. */
  openAs(place: string, user?: { readonly email: string; readonly password: string }): Promise<Page>;
  stop(): Promise<void>;
}

/** Starts a service of real processes on a fresh database, and Chromium. */
export async function startDashboard(
  options: Partial<Pick<ServiceOptions, 'apps' | 'env'>> = {},
): Promise<DashboardUnderTest> {
  const database = await createTestDatabase();
  const service = await startService({
    projectDir,
    databaseUrl: database.url,
    queue: { kind: 'postgres' },
    ...options,
  });
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath,
    // As root Chromium has no sandbox, and small containers have little shared memory. By the name the service is reached
    // over http as from another machine: a browser trusts 127.0.0.1 like https.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--host-resolver-rules=MAP plimsoll.test 127.0.0.1',
    ],
  });
  const contexts: BrowserContext[] = [];
  let client: Promise<Client> | null = null;
  const setUp = () => {
    client ??= setUpClient(service.url);
    return client;
  };
  const open = async (place = '/'): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
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
    async stop() {
      await Promise.all(contexts.map((context) => context.close()));
      await browser.close();
      await service.stop();
      await database.drop();
    },
  };
}

/** Signs in on the page that asks for it. */
export async function signIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

/** What axe finds wrong on a page, by WCAG 2.2 AA and its best practices, each with where it is. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof import('axe-core') }; // put there by the line above
    // React Aria's announcer keeps for seconds what it read out from elements that may be gone since.
    const context = { include: [['html']], exclude: [['[data-live-announcer]']] };
    return (await checker.run(context, { resultTypes: ['violations'] })).violations;
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
  );
}

const looks = [
  { name: 'light', width: 1440, height: 900, theme: 'light' },
  { name: 'dark', width: 1440, height: 900, theme: 'dark' },
  { name: 'phone', width: 360, height: 780, theme: 'light' },
] as const;

/**
 * Checks a page as it stands in light, dark and on a phone: axe finds nothing and nothing is wider than the screen.
 * Leaves a screenshot of each in apps/dashboard/screenshots for people to look at.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  await mkdir(screenshotDir, { recursive: true });
  for (const { name: look, width, height, theme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await settle(page);
    expect({ look, faults: await accessibilityFaults(page) }).toEqual({ look, faults: [] });
    const isWider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect({ look, isWider }).toEqual({ look, isWider: false });
    // What sticks to the window's top belongs at the top of the picture.
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: path.join(screenshotDir, `${name}.${look}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Waits until what moves has come to its end: a colour on its way to another is neither of the two. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // An animation of something that goes away ends by being cancelled.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** What a page's console said that nobody wants there: errors, and what the Content-Security-Policy refused. */
export function watchConsole(page: Page): readonly string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    // A refused request is the page's own affair, and shown there.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  return said;
}
