import path from 'node:path';
import type { Release } from '@plimsoll/model';
import {
  type AccuracyResult,
  type EvaluationResult,
  failuresOf,
  failuresOfOracle,
} from './accuracy-result.ts';
import { compareCassettes } from './cassettes/compare-cassettes.ts';
import type { AnsweredPackage } from './cassettes/read-cassettes.ts';
import { findFeedFiles } from './feeds/find-feed-files.ts';
import type { FeedFileResult } from './feeds/read-feed-file.ts';
import { type ReadFeedFile, readFeedFile } from './feeds/read-feed-file.ts';
import { findInventories } from './inventory/find-inventories.ts';
import { releaseOf } from './inventory/inventory.ts';
import { checkLabels } from './labels/check-labels.ts';
import { wantedOfLabels } from './labels/image-release.ts';
import type { LabelManifest } from './labels/label-manifest.ts';
import type { ReadLabels } from './labels/read-labels.ts';
import type { Manifest } from './manifest.ts';
import { checkOracles } from './oracles.ts';
import { runRebuilds, wantedReleases } from './rebuilds/run-rebuilds.ts';
import { isAbout, type ReviewedEntry } from './reviewed.ts';
import { type EvaluationGround, evaluateNamed, evaluateOthers } from './run-evaluations.ts';

/** The input of a run: hosts, feeds and reviewed differences. */
export interface AccuracyRequest {
  readonly inventoriesFolder: string;
  readonly feedsFolder: string;
  /** Null: versions are not checked. */
  readonly oraclesFolder: string | null;
  readonly manifest: Manifest;
  readonly reviewed: readonly ReviewedEntry[];
  /** Match labels of images; null: not compared. */
  readonly labels: { readonly manifest: LabelManifest; readonly read: ReadLabels } | null;
  /** Recorded answers of osv-scanner; null: not compared. */
  readonly cassettes: {
    readonly manifest: LabelManifest;
    readonly requests: readonly (readonly AnsweredPackage[])[];
  } | null;
  /** Only hosts whose name contains this are judged, with their expectations; empty: all. */
  readonly only: string;
  readonly now: Date;
}

/**
 * Judges every inventory by every file of advisories that covers its release, and compares as the manifest states.
 * Files are read one after the other, as imports read them.
 */
export async function runAccuracy(request: AccuracyRequest): Promise<AccuracyResult> {
  const {
    inventoriesFolder: folder,
    manifest,
    reviewed,
    now,
    only,
    oraclesFolder,
    labels,
    cassettes,
  } = request;
  const stated = new Map(
    Object.entries(manifest.inventories).map(([file, host]) => [withoutExtension(file), host]),
  );
  const found = findInventories(folder, stated, now);
  const inventories = found.inventories.filter(({ name }) => name.includes(only));
  const wanted = new Set([
    ...wantedReleases(inventories, manifest),
    ...[labels, cassettes].flatMap((ground) => (ground === null ? [] : wantedOfLabels(ground.manifest))),
  ]);
  const feeds = await readFeeds(request, wanted);
  const ground: EvaluationGround = { inventories, feeds, manifest, reviewed, folder };
  const named = manifest.evaluations
    .filter(({ inventory }) => inventory.includes(only))
    .map((entry) => evaluateNamed(ground, entry));
  const expected = named.flatMap((outcome) => (outcome.kind === 'evaluated' ? [outcome.result] : []));
  const evaluations = [...expected, ...evaluateOthers(ground, expected)].sort(byInventory);
  const compared = runRebuilds(ground, only);
  const spokenOf = new Set(evaluations.map(({ inventory }) => inventory));
  const labelled =
    labels === null
      ? null
      : await checkLabels({ ...labels, inventories: found.inventories, feeds }, request.feedsFolder);
  const oracles = oraclesFolder === null ? [] : checkOracles(oraclesFolder);
  return {
    feeds,
    evaluations,
    silent: inventories
      .filter(({ name }) => !spokenOf.has(name))
      .map((inventory) => ({ inventory: inventory.name, release: releaseOf(inventory) })),
    oracles,
    rebuilds: compared.checks,
    labels: labelled?.checks ?? null,
    cassettes: cassettes === null ? null : compareCassettes(cassettes.requests, cassettes.manifest, feeds),
    failures: [
      ...compared.lacking,
      ...(labelled?.lacking ?? []),
      ...found.unread.map(({ name, detail }) => `${name} ${detail}`),
      ...named.flatMap((outcome) => (outcome.kind === 'lacking' ? [outcome.detail] : [])),
      ...strayEntries(request),
      ...evaluations.flatMap(failuresOf),
      ...oracles.flatMap(failuresOfOracle),
    ],
  };
}

async function readFeeds(
  { feedsFolder, manifest }: AccuracyRequest,
  wanted: ReadonlySet<Release>,
): Promise<readonly FeedFileResult[]> {
  const results: FeedFileResult[] = [];
  for (const file of findFeedFiles(feedsFolder)) {
    const { release, skip } = manifest.feeds[file] ?? {};
    const start = performance.now();
    const read: ReadFeedFile =
      skip === undefined
        ? // The manifest names the release.
          await readFeedFile(path.join(feedsFolder, file), wanted, (release as Release | undefined) ?? null)
        : { kind: 'unread', detail: skip };
    results.push({ file, read, ms: performance.now() - start });
  }
  return results;
}

/** Entries of the reviewed list that match no evaluation of the manifest. */
function strayEntries({ manifest, reviewed }: AccuracyRequest): readonly string[] {
  return reviewed
    .filter((entry) => !manifest.evaluations.some(({ name }) => isAbout(entry, name)))
    .map(({ evaluation }) => `the reviewed list names "${evaluation}", which the manifest does not name`);
}

function byInventory(a: EvaluationResult, b: EvaluationResult): number {
  if (a.inventory !== b.inventory) return a.inventory < b.inventory ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function withoutExtension(file: string): string {
  return file.replace(/\.(?:json|tsv|report)$/, '');
}
