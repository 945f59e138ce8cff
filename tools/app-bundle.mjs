import { readdirSync } from 'node:fs';
import path from 'node:path';
import { externalPackages } from './external-packages.mjs';

/**
 * esbuild's options that make an app's bundle: src/main.ts with our own packages becomes dist/main.js, an ES module that
 * imports npm packages from node_modules. A file below src whose name ends in `-thread.ts` is what a thread of the app
 * runs, and becomes a module of its own in the same place below dist.
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
