import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * SHA-256 in hexadecimal of every file that a build makes, below apps/<app>/dist, by its path from the project folder, in the
 * order of paths. Throws if nothing is built.
 */
export function builtFiles(root) {
  const files = new Map();
  for (const app of readdirSync(path.join(root, 'apps')).sort()) {
    const dist = path.join(root, 'apps', app, 'dist');
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      files.set(path.relative(root, file), sha256(readFileSync(file)));
    }
  }
  if (files.size === 0) throw new Error('nothing is built');
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
