import { databasePerTest } from '@plimsoll/testing';
import { historyDifferences, stateDifferences } from '../state-differences.ts';
import { ComparedHistory } from './compared-history.ts';
import { HistoryService } from './history-service.ts';
import { historySeeds, seededRandom } from './seeded-random.ts';
import { SimulatedDays } from './simulated-days.ts';
import { enrolHosts } from './simulated-hosts.ts';

const hostCount = 20;
// More days and seeds: `npm run test:history`; CI takes 60 days.
const days = Number(process.env['PLIMSOLL_HISTORY_DAYS'] ?? 15);

const database = databasePerTest();

it.each(historySeeds)(
  `the history of ${hostCount} hosts is that of a naive simulator (seed %i, ${days} days)`,
  async (seed) => {
    const hosts = await enrolHosts(database, hostCount);
    const random = seededRandom(seed);
    const simulated = new SimulatedDays(random, new HistoryService(database), hosts);
    for (let day = 1; day <= days; day++) {
      await simulated.pass();
      if (day % 20 !== 0 && day !== days) continue;
      const compared = new ComparedHistory(database, simulated);
      await compared.matches();
      await compared.ledger();
      await compared.hostsNow();
      await compared.exposuresOfCves();
      for (let count = day === days ? 6 : 1; count > 0; count--)
        await compared.hostsAt(random.pick(simulated.quiet));
    }
    await simulated.settle();
    const compared = new ComparedHistory(database, simulated);
    await compared.matches();
    await compared.hostsNow();
    expect(await stateDifferences(database.as('cli'))).toEqual([]);
    expect(await historyDifferences(database.as('cli'))).toEqual([]);
  },
  600_000,
);
