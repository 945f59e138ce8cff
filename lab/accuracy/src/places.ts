import { existsSync } from 'node:fs';
import path from 'node:path';
import { readCassettes } from './cassettes/read-cassettes.ts';
import { InputError } from './input-error.ts';
import { readLabelManifest } from './labels/label-manifest.ts';
import { readLabels } from './labels/read-labels.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { readReviewed } from './reviewed.ts';
import type { AccuracyRequest } from './run-accuracy.ts';

/** The options that name folders and files, as `parseArgs` takes them. */
export const placeOptions = {
  inventories: { type: 'string' },
  feeds: { type: 'string' },
  reviewed: { type: 'string' },
  manifest: { type: 'string' },
  oracles: { type: 'string' },
} as const;

/** The values of `placeOptions`. */
export type PlaceValues = { readonly [Name in keyof typeof placeOptions]?: string | undefined };

/** The request that the options state, about all hosts. Throws InputError for absent or invalid files. */
export function requestOf(values: PlaceValues, root: string, now: Date): AccuracyRequest {
  const places = placesOf(values, root);
  const empty: Manifest = { inventories: {}, feeds: {}, evaluations: [], rebuilds: [] };
  return {
    inventoriesFolder: places.inventories,
    feedsFolder: places.feeds,
    oraclesFolder: places.oracles,
    manifest: places.manifest === null ? empty : readManifest(places.manifest),
    reviewed: places.reviewed === null ? [] : readReviewed(places.reviewed),
    labels: null,
    cassettes: null,
    only: '',
    now,
  };
}

/**
 * The match labels in `folder`, by default those next to the default data, with the project's list of images. Null: there
 * are none. Throws InputError for absent or invalid files.
 */
export function labelsOf(folder: string | undefined, root: string): AccuracyRequest['labels'] {
  const place = folder ?? existing(path.resolve(root, '..', 'shared', 'data', 'match-labels'));
  if (place === null) return null;
  const manifest = readLabelManifest(path.join(root, 'lab', 'accuracy', 'match-labels.json'));
  return { manifest, read: readLabels(place) };
}

/**
 * Recorded answers of osv-scanner in `folder`, by default those next to the default data. Null: there are none. Throws
 * InputError for absent or invalid files.
 */
export function cassettesOf(folder: string | undefined, root: string): AccuracyRequest['cassettes'] {
  const place = folder ?? existing(path.resolve(root, '..', 'shared', 'data', 'osv-scanner'));
  if (place === null) return null;
  const manifest = readLabelManifest(path.join(root, 'lab', 'accuracy', 'match-labels.json'));
  return { manifest, requests: readCassettes(place) };
}

interface Places {
  readonly inventories: string;
  readonly feeds: string;
  readonly oracles: string | null;
  readonly manifest: string | null;
  readonly reviewed: string | null;
}

/** The default data uses the project's own manifest and reviewed list; other folders contain theirs. */
function placesOf(values: PlaceValues, root: string): Places {
  const data = path.resolve(root, '..', 'shared', 'data');
  const own = (...parts: readonly string[]) => existing(path.join(data, ...parts));
  const inventories = values.inventories ?? own('inventories');
  const feeds = values.feeds ?? own('advisories');
  if (inventories === null || feeds === null) {
    throw new InputError(`There is no ${data}. Say with --inventories and --feeds where the files are.`);
  }
  for (const folder of [inventories, feeds]) {
    if (!existsSync(folder)) throw new InputError(`There is no ${folder}.`);
  }
  const known = values.inventories === undefined && values.feeds === undefined;
  const beside = (file: string) =>
    known ? path.join(root, 'lab', 'accuracy', file) : existing(path.join(inventories, file));
  return {
    inventories,
    feeds,
    oracles: values.oracles ?? (known ? own('version-oracles') : null),
    manifest: values.manifest ?? beside('accuracy.json'),
    reviewed: values.reviewed ?? beside('reviewed.json'),
  };
}

function existing(file: string): string | null {
  return existsSync(file) ? file : null;
}
