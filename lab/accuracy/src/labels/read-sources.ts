import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { OsFamily } from '@plimsoll/model';
import { readRecords, unpackXz } from '@plimsoll/pipeline';
import { z } from 'zod';
import type { Inventory } from '../inventory/inventory.ts';
import { releaseOf } from '../inventory/inventory.ts';
import type { RecordedBuild } from './recorded-packages.ts';

const errata = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      epoch: z.string(),
      version: z.string(),
      release: z.string(),
      src: z.string().nullish(),
    }),
  ),
});

/** The packages of recorded hosts of one family. */
export function buildsOfHosts(inventories: readonly Inventory[], family: OsFamily): readonly RecordedBuild[] {
  return inventories
    .filter(({ snapshot }) => snapshot.platform.osFamily === family)
    .flatMap((inventory) => {
      const release = releaseOf(inventory);
      return inventory.snapshot.packages.map((entry) => ({ ...entry, release }));
    });
}

/** The packages of a file of `sources` in the manifest of labels. */
export async function readSources(
  folder: string,
  file: string,
  kind: string,
): Promise<readonly RecordedBuild[]> {
  const place = path.join(folder, file);
  return kind === 'almalinux-errata' ? await readErrata(place) : await readIndex(place, kind);
}

async function readErrata(file: string): Promise<readonly RecordedBuild[]> {
  const builds = new Map<string, RecordedBuild>();
  for await (const read of readRecords(file)) {
    const parsed = read.kind === 'broken' ? null : errata.safeParse(read.json);
    for (const { name, epoch, version, release, src } of parsed?.data?.packages ?? []) {
      const [, sourceName, built, number] =
        /^(.+)-([^-]+-[^-]*\.(?:module[_+])?el(\d+)[^-]*)\.src\.rpm$/.exec(src ?? '') ?? [];
      if (sourceName === undefined || built === undefined) continue;
      builds.set(`${name} ${number} ${sourceName}`, {
        release: `almalinux:${number}`,
        name,
        version: `${epoch}:${version}-${release}`,
        sourceName,
        sourceVersion: built,
      });
    }
  }
  return [...builds.values()];
}

/** `Packages.xz` of an apt archive: paragraphs with `Package`, `Version`, `Source` (deb-control(5)). */
async function readIndex(file: string, release: string): Promise<readonly RecordedBuild[]> {
  const builds: RecordedBuild[] = [];
  let fields = new Map<string, string>();
  const end = () => {
    const name = fields.get('Package');
    const version = fields.get('Version') ?? '';
    const [, sourceName, sourceVersion] =
      /^(\S+)(?: \((.+)\))?$/.exec(fields.get('Source') ?? name ?? '') ?? [];
    if (name !== undefined && sourceName !== undefined)
      builds.push({ release, name, version, sourceName, sourceVersion: sourceVersion ?? version });
    fields = new Map();
  };
  for await (const line of createInterface({ input: Readable.from(unpackXz(createReadStream(file))) })) {
    const [, field, value] = /^(Package|Version|Source): (.*)$/.exec(line) ?? [];
    if (line === '') end();
    else if (field !== undefined && value !== undefined) fields.set(field, value);
  }
  end();
  return builds;
}
