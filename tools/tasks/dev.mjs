import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { context } from 'esbuild';
import { createServer } from 'vite';
import { appBundle } from '../app-bundle.mjs';
import { root } from './run-program.mjs';

/**
 * `dev [ARGUMENT…]`: runs the whole service like `plimsoll start` with the arguments, and follows source changes. A
 * change in an app or a package rebuilds and restarts the apps that use it; a dashboard change appears in the browser
 * immediately, at the printed address. Each app listens for a debugger.
 */
export async function run(args) {
  // Before the bundles are rebuilt, so that the watched bundles are the started ones.
  for (const folder of serviceFolders()) {
    const bundle = await context(appBundle(folder));
    await bundle.watch();
  }
  await serveDashboard();
  process.argv = [process.argv[0], path.join(root, 'apps/cli/bin/plimsoll.mjs'), 'start', '--watch', ...args];
  await import('../../apps/cli/bin/plimsoll.mjs');
}

/** The apps that are service processes. The command line starts them and is not watched. */
function serviceFolders() {
  return readdirSync(path.join(root, 'apps'))
    .filter((name) => name !== 'cli' && existsSync(path.join(root, 'apps', name, 'src/main.ts')))
    .map((name) => path.join(root, 'apps', name));
}

async function serveDashboard() {
  const port = process.env.PLIMSOLL_API_PORT ?? '8080';
  const folder = path.join(root, 'apps/dashboard');
  const server = await createServer({
    root: folder,
    configFile: path.join(folder, 'vite.config.ts'),
    logLevel: 'warn',
    server: { host: '127.0.0.1', proxy: { '/api': `http://127.0.0.1:${port}` } },
  });
  await server.listen();
  const [url] = server.resolvedUrls?.local ?? [];
  process.stdout.write(`The dashboard from its sources: ${url}\n`);
}
