import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { InstalledPackage, Snapshot } from '@plimsoll/model';
import { decodeSnapshot } from '@plimsoll/reports';
import { LoadtestError } from '../loadtest-error.ts';

/** The inventory of a real machine, from which hosts of a fleet are made. */
export interface ModelHost {
  readonly name: string;
  readonly snapshot: Snapshot;
}

/**
 * Reads models, by name: package tables (`.tsv`, see models/README.md) and snapshots (`.snapshot.pb.gz`). A place is a
 * folder or a file. Throws LoadtestError for an unreadable file or a folder without models.
 */
export async function readModels(places: readonly string[]): Promise<readonly ModelHost[]> {
  const files = (await Promise.all(places.map(filesOf))).flat();
  if (files.length === 0) throw new LoadtestError(`${places.join(', ')}: no model of a host was found.`);
  return Promise.all(files.map(readModel));
}

const endings = ['.tsv', '.snapshot.pb.gz'];

async function filesOf(place: string): Promise<readonly string[]> {
  if (endings.some((ending) => place.endsWith(ending))) return [place];
  const names = await readdir(place).catch((cause: unknown) => {
    throw new LoadtestError(`${place} cannot be read.`, { cause });
  });
  const wanted = names.filter((name) => endings.some((ending) => name.endsWith(ending)));
  return wanted.sort().map((name) => path.join(place, name));
}

async function readModel(file: string): Promise<ModelHost> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new LoadtestError(`${file} cannot be read.`, { cause });
  });
  const name = path.basename(file).replace(/\..*$/, '');
  if (file.endsWith('.tsv')) return { name, snapshot: readTable(bytes.toString('utf8'), file) };
  const decoded = decodeSnapshot(unpacked(bytes, file), { receivedAt: new Date() });
  if (decoded.kind !== 'snapshot') throw new LoadtestError(`${file} is not a valid snapshot.`);
  return { name, snapshot: decoded.snapshot };
}

function unpacked(bytes: Buffer, file: string): Buffer {
  try {
    return gunzipSync(bytes);
  } catch (cause) {
    throw new LoadtestError(`${file} is damaged.`, { cause });
  }
}

function readTable(text: string, file: string): Snapshot {
  const [about = '', , ...lines] = text.split('\n');
  if (!about.startsWith('# {')) throw new LoadtestError(`${file} does not begin with its platform.`);
  // The file has this form; the service checks what is made from it.
  const { platform, repositories } = JSON.parse(about.slice(2)) as Pick<
    Snapshot,
    'platform' | 'repositories'
  >;
  return {
    schemaVersion: 1,
    collectedAt: null,
    collectorVersion: 'loadtest',
    platform: { ...platform, hostname: '', machineId: '', virtualization: 'kvm', ipAddresses: [] },
    packages: lines.filter(Boolean).map(readRow),
    upgrades: [],
    kernel: noKernel,
    services: { restartRequired: 'no', toRestart: [] },
    repositories,
    moduleStreams: [],
    subscription: null,
    failures: [],
    observed: { bootId: '', bootedAt: null, refreshed: [] },
  };
}

/** The tables have no kernel: their machines were containers, or their kernel was not the distribution's. */
const noKernel: Snapshot['kernel'] = {
  runningRelease: '',
  runningVersion: '',
  runningPackage: '',
  installed: [],
  rebootRequired: 'unknown',
  rebootPackages: [],
  livepatch: '',
  livepatchedCves: [],
};

function readRow(line: string): InstalledPackage {
  const [name = '', architecture = '', version = '', sourceName = '', sourceVersion = '', vendor, module] =
    line.split('\t');
  return {
    name,
    architecture,
    version,
    sourceName,
    sourceVersion,
    vendor: vendor ?? '',
    module: module ?? '',
    held: false,
    installedAt: null,
    signingKey: '',
    suite: '',
  };
}
