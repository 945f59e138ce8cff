/** Bundles the app in the current folder. Every app's `build` script is this file. */
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { appBundle } from './app-bundle.mjs';

const options = appBundle(process.cwd());
await rm(options.outdir, { recursive: true, force: true });
try {
  await build(options);
} catch {
  // esbuild has printed the error.
  process.exit(1);
}
