import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * esbuild plugin: our own packages are bundled from source, everything from node_modules stays an import, resolved
 * when the bundle runs. A package of which the workspace holds several versions is bundled where the bundle, lying
 * in `outputDir`, would find another version than the importing source does.
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
        return here === there ? { path: name, external: true } : undefined;
      });
    },
  };
}

/** The folder Node would take package `name` from, or null. */
function packageFolder(require, name) {
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  const folders = (require.resolve.paths(packageName) ?? []).map((folder) => path.join(folder, packageName));
  return folders.find((folder) => existsSync(path.join(folder, 'package.json'))) ?? null;
}
