/**
 * Bundles one TypeScript file with the workspace packages it imports and runs it:
 * `node tools/run.mjs FILE [ARGUMENT…]`. The file finds the project folder in PLIMSOLL_ROOT.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { externalPackages } from './external-packages.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
  process.stderr.write('usage: node tools/run.mjs FILE [ARGUMENT…]\n');
  process.exit(64);
}
// Below node_modules, so that unbundled packages are resolved.
const outputDir = path.join(root, 'node_modules', '.cache', 'plimsoll-run');
const outfile = path.join(outputDir, `${path.basename(entry, '.ts')}-${process.pid}.mjs`);
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
  plugins: [externalPackages(outputDir)],
});
const result = spawnSync(process.execPath, ['--enable-source-maps', '--expose-gc', outfile, ...args], {
  stdio: 'inherit',
  env: { ...process.env, PLIMSOLL_ROOT: root },
});
rmSync(outfile, { force: true });
process.exit(result.status ?? 1);
