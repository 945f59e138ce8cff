/**
 * Bundles the app in the current folder: src/main.ts with our own packages becomes dist/main.js, an ES module that
 * imports npm packages from node_modules. Every app's `build` script is this file.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { externalPackages } from './external-packages.mjs';

const outputDir = path.resolve('dist');

await rm(outputDir, { recursive: true, force: true });
try {
  await build({
    entryPoints: ['src/main.ts'],
    outdir: outputDir,
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
