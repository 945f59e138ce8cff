import { readdirSync } from 'node:fs';
import path from 'node:path';
import { externalPackages } from './external-packages.mjs';

/**
 * esbuild's options for an app's bundle: src/main.ts with the workspace packages becomes dist/main.js, an ES module
 * that imports npm packages from node_modules. A file below src whose name ends in `-thread.ts` runs in a thread and
 * becomes a separate module at the same path below dist.
 */
export function appBundle(folder) {
  const outdir = path.join(folder, 'dist');
  const sources = readdirSync(path.join(folder, 'src'), { recursive: true });
  const threads = sources.filter((file) => file.endsWith('-thread.ts')).map((file) => path.join('src', file));
  return {
    absWorkingDir: folder,
    entryPoints: ['src/main.ts', ...threads],
    outdir,
    outbase: 'src',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [externalPackages(outdir)],
  };
}
