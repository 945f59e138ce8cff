// Whole feeds imported into the whole service on this machine, with a fleet that is matched again: each file, then the
// same again, then with 100 changed records about packages that hosts of the fleet have. `npm run bench -- feeds
// [HOSTS] [[RELEASE=]FILE…]`
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Snapshot } from '@plimsoll/model';
import { fleetModels, makeFleet } from './bench-fleet.ts';
import { projectDir, say, withBenchService } from './bench-service.ts';
import { changedRecords, readFeedFile, someOf } from './changed-records.ts';
import { type FileToMeasure, measureImport } from './measure-import.ts';

const dataDir = path.join(projectDir, '../shared/data');
const changes = 100;
const [hosts = '1000', ...given] = process.argv.slice(2);

const files = (given.length > 0 ? given : defaultFiles()).map((argument) => {
  const [release, file] = argument.includes('=') ? argument.split('=', 2) : [undefined, argument];
  return { file: file ?? '', ...(release === undefined ? {} : { release }) };
});

await withBenchService(async (bench) => {
  const models = await fleetModels(path.join(dataDir, 'inventories'), new Set(['debian', 'ubuntu']));
  await makeFleet(bench.client, models, Number(hosts));
  for (const { file, ...about } of files) {
    const name = path.join(path.basename(path.dirname(file)), path.basename(file));
    const bytes = await readFile(file);
    await measureWell(bench, { what: name, file: bytes, ...about });
    const again = await measureWell(bench, { what: `${name} again`, file: bytes, ...about });
    if (again.changed !== 0) throw new Error(`the same file again changed ${again.changed} records`);
    say('the same file again changed nothing');
    const installed = installedNames(models);
    const some = someOf(await readFeedFile(file, (record) => isAbout(record, installed)), changes);
    if (some.length === 0) continue;
    await measureWell(bench, { what: `${some.length} changed records`, file: changedRecords(some) });
  }
});

async function measureWell(bench: Parameters<typeof measureImport>[0], file: FileToMeasure) {
  const measured = await measureImport(bench, file);
  if (measured.status !== 'done') throw new Error(`${file.what}: the import failed`);
  return measured;
}

function defaultFiles(): readonly string[] {
  const found = ['Debian', 'Ubuntu']
    .map((ecosystem) => path.join(dataDir, 'advisories/osv', ecosystem, 'all.zip'))
    .filter((file) => existsSync(file));
  return found.length > 0 ? found : [path.join(projectDir, 'examples/debian-advisories.jsonl.gz')];
}

/** Binary and source packages of the models. */
function installedNames(models: readonly Snapshot[]): ReadonlySet<string> {
  return new Set(models.flatMap(({ packages }) => packages.flatMap((item) => [item.name, item.sourceName])));
}

/** Whether an OSV record names one of some packages. */
function isAbout(record: object, names: ReadonlySet<string>): boolean {
  const { affected } = record as { readonly affected?: unknown }; // Counts as unknown.
  if (!Array.isArray(affected)) return false;
  return affected.some((entry: { readonly package?: { readonly name?: unknown } } | null) => {
    const name = entry?.package?.name;
    return typeof name === 'string' && names.has(name);
  });
}
