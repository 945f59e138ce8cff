import { readdirSync } from 'node:fs';
import path from 'node:path';

const feedName = /\.(?:zip|jsonl|json|xml|tar)(?:\.gz|\.zst)?$/;

/** Every file below a folder that can contain advisories, relative to it, sorted. */
export function findFeedFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && feedName.test(entry.name) && entry.name !== 'accuracy.json')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}
