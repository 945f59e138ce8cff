import { createFleetStore } from '@plimsoll/db';
import { describeDashboard } from './dashboard-under-test.ts';
import { makeSampleFleet } from './sample-fleet.ts';

/** Largest compressed size of the first page's scripts, in bytes. */
const maxScriptBytes = 250_000;

describeDashboard('the first load', {}, (dashboard) => {
  beforeAll(async () => {
    await makeSampleFleet(dashboard);
    // One day of history shows no chart.
    for (const day of ['2026-11-18T12:00:00Z', '2026-11-19T12:00:00Z']) {
      await createFleetStore(dashboard.database.db).noteDay(new Date(day));
    }
  });

  it('brings the fleet with its chart in little script', async () => {
    const page = await dashboard.openAs('/');
    await page.reload();
    await page.getByRole('heading', { name: 'Findings over 90 days' }).waitFor();
    await page.locator('canvas').waitFor();
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming) // the type of these entries
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
    );
    const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
    const encoded = sum(scripts.map(({ encodedBodySize }) => encodedBodySize));
    expect(encoded).toBeGreaterThan(50_000);
    expect(encoded).toBeLessThan(sum(scripts.map(({ decodedBodySize }) => decodedBodySize)) / 2);
    expect(encoded).toBeLessThanOrEqual(maxScriptBytes);
  });
});
