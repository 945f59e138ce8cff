// Uploads of a fleet, in the whole service as `npm start` runs it: changed ones with known versions, ones in which a
// tenth of the versions is new, unchanged ones, paced ones and a wave. Prints a line per phase and, at the end, all
// figures as JSON. `npm run bench -- ingest [HOSTS] [WAVE] [PHASES] [FEED-FILE]`, for instance
// `ingest 1000 5000 known,unchanged`
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { say, withBenchService, withDatabase } from './bench-service.ts';
import { debianFeed } from './fleet-setup.ts';
import { measureImport } from './measure-import.ts';
import { ingestSettings, measurePhases } from './measure-ingest.ts';

const [hosts = '1000', wave = '5000', phases = 'known,new,unchanged,paced,wave', feedFile = debianFeed] =
  process.argv.slice(2);

await withBenchService(async (bench) => {
  await measureImport(bench, { what: path.basename(feedFile), file: await readFile(feedFile) });
  const all = await withDatabase(bench, (database) =>
    measurePhases(bench, database, {
      hosts: Number(hosts),
      wave: Number(wave),
      phases: new Set(phases.split(',')),
    }),
  );
  say(JSON.stringify(all.map(({ sent: _, ...figures }) => figures)));
}, ingestSettings);
