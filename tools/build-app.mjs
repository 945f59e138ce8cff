/**
 * Bundles the app in the current folder: src/main.ts with our own packages becomes dist/main.js, an ES module that
 * imports npm packages from node_modules. A file below src whose name ends in `-thread.ts` is what a thread of the app
 * runs, and becomes a module of its own in the same place below dist. Every app's `build` script is this file.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { externalPackages } from './external-packages.mjs';

const outputDir = path.resolve('dist');

const sources = await readdir('src', { recursive: true });
const threads = sources.filter((file) => file.endsWith('-thread.ts')).map((file) => path.join('src', file));

await rm(outputDir, { recursive: true, force: true });
try {
  await build({
    entryPoints: ['src/main.ts', ...threads],
    outdir: outputDir,
    outbase: 'src',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [externalPackages(outputDir)],
  });
} catch {
  // esbuild has printed what is wrong.
  process.exit(1);
}
