import path from 'node:path';
import { readSources } from './read-sources.ts';
import type { RecordedBuild } from './recorded-packages.ts';
import { RedHatWords } from './red-hat-words.ts';
import { type LabelGround, type LabelRun, runLabels } from './run-labels.ts';

/**
 * Reads the inputs that the manifest of labels names besides advisories, and compares our answers with all
 * labels.
 */
export async function checkLabels(
  ground: Omit<LabelGround, 'sources' | 'redHat'>,
  feedsFolder: string,
): Promise<LabelRun> {
  const { manifest, read } = ground;
  const sources: RecordedBuild[] = [];
  for (const [file, kind] of Object.entries(manifest.sources))
    for (const build of await readSources(feedsFolder, file, kind)) sources.push(build);
  const cves = new Set([...read.byDigest.values()].flatMap((labels) => labels.flatMap(({ ids }) => ids)));
  const redHat =
    manifest.redHatCves === undefined
      ? null
      : await RedHatWords.read(path.join(feedsFolder, manifest.redHatCves), cves);
  return runLabels({ ...ground, sources, redHat });
}
