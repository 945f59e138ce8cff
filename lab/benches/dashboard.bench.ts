// The dashboard with a large fleet in Debian's Chromium on this machine: the bytes and time of a first visit, and the
// frames while the list of hosts scrolls. `npm run bench -- dashboard [HOSTS]`
import { insertManyHosts } from '@plimsoll/testing';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { say, withBenchService, withDatabase } from './bench-service.ts';

const [hosts = '100000'] = process.argv.slice(2);
const visits = 7;
const frames = 240;
const window = { width: 1440, height: 900 };

await withBenchService(async (bench) => {
  const { service } = bench;
  await withDatabase(bench, (database) => insertManyHosts(database, Number(hosts)));
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const signedIn = await signIn(browser, service.url);
    for (const [place, ready] of [
      ['/', 'What to do'],
      ['/hosts', `${Number(hosts).toLocaleString('en-GB')} hosts`],
    ] as const) {
      say(await visit(browser, { url: `${service.url}${place}`, ready, signedIn }));
    }
    say(await scroll(browser, `${service.url}/hosts`, signedIn));
  } finally {
    await browser.close();
  }
});

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, url: string): Promise<SignedIn> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  // The user created by setUpClient.
  await page.getByLabel('E-mail').fill('admin@example.org');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('What to do').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Visits a page with an empty cache several times: the time until its heading is shown, and the bytes loaded. */
async function visit(
  browser: Browser,
  { url, ready, signedIn }: { readonly url: string; readonly ready: string; readonly signedIn: SignedIn },
): Promise<string> {
  const times: number[] = [];
  let script = 0;
  for (let turn = 0; turn < visits; turn++) {
    const context = await browser.newContext({ storageState: signedIn, viewport: window });
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByText(ready).first().waitFor();
    times.push(await page.evaluate('performance.now()'));
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined); // the stream never ends
    script = await page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    await context.close();
  }
  const sorted = times.toSorted((one, other) => one - other);
  const [best = 0, median = 0, worst = 0] = [0, Math.floor(visits / 2), visits - 1].map((at) => sorted[at]);
  return `${new URL(url).pathname}: ready in ${median.toFixed(0)} ms (${best.toFixed(0)} to ${worst.toFixed(0)}), ${(script / 1000).toFixed(0)} kB of script`;
}

/** Scrolls through the hosts like a user, and returns the durations of frames. */
async function scroll(browser: Browser, url: string, signedIn: SignedIn): Promise<string> {
  const context = await browser.newContext({ storageState: signedIn, viewport: window });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('tbody tr').nth(5).waitFor();
  const times: number[] = await page.evaluate(`new Promise((resolve) => {
    const frame = document.querySelector('table[aria-rowcount]').parentElement;
    const times = [];
    let before = performance.now();
    const step = (now) => {
      times.push(now - before);
      before = now;
      frame.scrollTop += 180;
      if (times.length < ${frames}) requestAnimationFrame(step);
      else resolve(times);
    };
    requestAnimationFrame(step);
  })`);
  await context.close();
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  return `scrolling, four rows a frame: median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, worst ${at(0.999)} ms`;
}
