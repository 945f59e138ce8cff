import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * esbuild plugin: bundles workspace packages from source; packages from node_modules stay imports, resolved at run
 * time. A bundle that uses nothing of such a package does not load it, not even for `import 'x'` alone: threads need few of
 * them. Bundles a package with several versions in the workspace if the bundle in `outputDir` would otherwise resolve
 * another version than the importing source.
 */
export function externalPackages(outputDir) {
  const fromOutput = createRequire(path.join(outputDir, 'main.js'));
  return {
    name: 'external-packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path: name, resolveDir, kind }) => {
        if (kind === 'entry-point' || name.startsWith('@plimsoll/') || name.startsWith('node:'))
          return undefined;
        const here = packageFolder(createRequire(path.join(resolveDir, 'main.js')), name);
        const there = packageFolder(fromOutput, name);
        return here === there ? { path: name, external: true, sideEffects: false } : undefined;
      });
    },
  };
}

/** The folder from which Node resolves package `name`, or null. */
function packageFolder(require, name) {
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  const folders = (require.resolve.paths(packageName) ?? []).map((folder) => path.join(folder, packageName));
  return folders.find((folder) => existsSync(path.join(folder, 'package.json'))) ?? null;
}
