import { readFile } from 'node:fs/promises';
import { adminPassword, describeDashboard, listOfHostsSays } from './dashboard-under-test.ts';

describeDashboard('exports', { apps: ['api'] }, (dashboard) => {
  beforeAll(async () => {
    const client = await dashboard.setUp();
    for (const display_name of ['alpha', 'bravo'])
      await client.send('POST', '/hosts/manual', { display_name, hostname: 'h.example.org' });
  });

  it('saves the list as it is filtered', async () => {
    const page = await dashboard.openAs('/hosts?q=alpha');
    await listOfHostsSays(page, '1 host');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('alpha');
  });

  it('says why an export is refused, and leaves no cookie for it', async () => {
    const page = await dashboard.openAs('/hosts?q=alpha');
    await listOfHostsSays(page, '1 host');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.route(
      ({ pathname }) => pathname === '/api/v1/hosts.csv',
      (route) => route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'Too many exports.' } }),
    );
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByText('Too many exports.').waitFor();
    expect(asked.filter((one) => /hosts.csv|auth.download/.test(one))).toEqual([
      'HEAD /api/v1/hosts.csv',
      'GET /api/v1/hosts.csv',
    ]);
  });

  it('asks for the proof of the user that an export needs, and lets the browser download it then', async () => {
    const page = await dashboard.openAs('/hosts?q=alpha');
    await page.getByRole('link', { name: 'alpha' }).click();
    const data = { authenticatedAt: new Date(Date.now() - 11 * 60_000) };
    await dashboard.database.db.prisma.session.updateMany({ data });
    await page.getByRole('button', { name: 'Evidence pack' }).click();
    await page.getByRole('button', { name: 'Make and save' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByLabel('Password').fill(adminPassword);
    const downloading = page.waitForEvent('download');
    await question.getByRole('button', { name: 'Confirm' }).click();
    expect((await downloading).url()).toContain('download=');
  });

  it('asks to be reloaded where the service does not answer with the address of an export', async () => {
    const page = await dashboard.openAs('/hosts?q=alpha');
    await listOfHostsSays(page, '1 host');
    await page.route('**/api/v1/auth/download', (route) => route.fulfill({ status: 204 }));
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByText('Reload the page.').waitFor();
  });
});
