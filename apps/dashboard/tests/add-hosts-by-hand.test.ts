import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@plimsoll/testing';
import type { Locator, Page } from 'playwright-core';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { importSampleFeeds } from './sample-fleet.ts';
import { sampleReport } from './sample-report.ts';

const machineId = '0123456789abcdef0123456789abcdef';

describeDashboard('bringing reports by hand', {}, (dashboard) => {
  let client: Client;

  beforeAll(async () => {
    client = await dashboard.setUp();
  });

  const hostCalled = async (name: string) => {
    const hosts = (await client.get('/hosts')).body as {
      readonly id: string;
      readonly display_name: string;
    }[];
    const found = hosts.find(({ display_name }) => display_name === name);
    if (found === undefined) throw new Error(`there is no host ${name}`);
    return found;
  };

  const bring = async (page: Page, text: string | Buffer) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const buffer = Buffer.from(text);
    await (await choosing).setFiles({ name: 'report.txt', mimeType: 'text/plain', buffer });
  };

  it('takes a host by hand from the script to its findings', async () => {
    await importSampleFeeds(dashboard, client);
    const page = await dashboard.openAs('/add-hosts?way=manual');
    await page.getByText('No hosts yet.').waitFor();
    await expectGoodLooks(page, 'add-hosts-manual');
    await page.getByLabel('Hostname').fill('by-hand.example.org');
    await page.getByRole('button', { name: 'Add the host' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download collector-apt.sh' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('collector-apt.sh');
    expect(await readFile(await download.path())).toEqual(
      await readFile(path.resolve(__dirname, '../../agent/dist/collector-apt.sh')),
    );
    await drop(page.getByText('Drop the report here').locator('..'), sampleReport({ machineId }));
    await page
      .getByRole('link', { name: /critical|important|moderate|low|unrated/ })
      .first()
      .waitFor();
    await expectGoodLooks(page, 'add-hosts-findings');
    const host = await hostCalled('by-hand.example.org');
    for (const severity of ['critical', 'important', 'moderate', 'low', 'unrated']) {
      const { body } = await client.get(`/hosts/${host.id}/packages/vulnerable?severity=${severity}`);
      const { length } = body as unknown[];
      const link = page.getByRole('link', { name: `${length} ${severity}`, exact: true });
      expect([severity, await link.count()]).toEqual([severity, length > 0 ? 1 : 0]);
    }
  });

  it('shows the wrong line of a report with its text, and accepts the corrected report', async () => {
    const page = await dashboard.openAs('/add-hosts?way=manual');
    await page.getByRole('searchbox').fill('by-hand');
    await page.getByRole('link', { name: 'by-hand.example.org' }).click();
    const lines = sampleReport({ machineId }).split('\n');
    lines.splice(99, 0, '<b>not a line</b>');
    await bring(page, lines.join('\n'));
    await page.getByText('The report was rejected.').waitFor();
    const wrong = page.getByRole('table', { name: 'Invalid lines' }).getByRole('row');
    await wrong.filter({ hasText: '<b>not a line</b>' }).getByText('100', { exact: true }).waitFor();
    await expectGoodLooks(page, 'add-hosts-wrong-line');
    await bring(page, sampleReport({ machineId }));
    await page.getByText('The report was imported.').waitFor();
    await bring(page, Buffer.alloc(33 * 1024 * 1024, 'x'));
    await page.getByText(/at most 32/).waitFor();
  });

  it('accepts an older report, and one of another machine, only if requested', async () => {
    const { id } = await hostCalled('by-hand.example.org');
    const page = await dashboard.openAs(`/add-hosts?way=manual&host=${id}`);
    const collectedAt = new Date(Date.now() - 86_400_000);
    await bring(page, sampleReport({ machineId, collectedAt }));
    await page.getByText('This report is older than the last report of the host').waitFor();
    await bring(page, sampleReport({ machineId: 'fedcba9876543210fedcba9876543210' }));
    await page.getByText('This report is from another machine.').waitFor();
    await expectGoodLooks(page, 'add-hosts-another-machine');
    const snapshots = async () => ((await client.get(`/hosts/${id}/snapshots`)).body as unknown[]).length;
    const before = await snapshots();
    await page.getByRole('button', { name: 'Import anyway' }).click();
    await page.getByText('The report was imported.').waitFor();
    expect(await snapshots()).toBe(before + 1);
  });
});

/** Drops a file onto an element, as from a file manager. */
async function drop(target: Locator, text: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-drop-'));
  const file = path.join(folder, 'report.txt');
  await writeFile(file, text);
  await target.scrollIntoViewIfNeeded();
  const { x, y } = (await target.boundingBox()) ?? { x: 0, y: 0 };
  const devtools = await target.page().context().newCDPSession(target.page());
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    await devtools.send('Input.dispatchDragEvent', { type, x: x + 9, y: y + 9, data });
  }
  await target.page().getByText('The report was imported.').waitFor();
  await rm(folder, { recursive: true, force: true });
}
