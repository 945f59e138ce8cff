/**
 * `npm run provenance [-- FOLDER]`: writes what a release consists of to FOLDER (default: release):
 * `plimsoll.cdx.json`, the production dependencies as CycloneDX 1.6; `SHA256SUMS` of every built file and the list;
 * `provenance.json`, an in-toto statement with a SLSA provenance predicate (https://slsa.dev/spec/v1.0/provenance). It signs
 * nothing: sign the three files with the means of your organisation. Build first: `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFiles, sha256 } from './built-files.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'release'));
const output = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();

const startedOn = new Date().toISOString();
mkdirSync(folder, { recursive: true });
const list = path.join(folder, 'plimsoll.cdx.json');
const cyclonedx = path.join(root, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
const listing = ['--spec-version', '1.6', '--omit', 'dev', '--output-reproducible', '--output-file', list];
// Of npm's tree only; peer dependencies that no part of the service uses are missing in it.
execFileSync(process.execPath, [cyclonedx, '--ignore-npm-errors', ...listing], {
  cwd: root,
  stdio: 'inherit',
});

const files = new Map([...builtFiles(root), [path.basename(list), sha256(readFileSync(list))]]);
writeFileSync(
  path.join(folder, 'SHA256SUMS'),
  [...files].map(([name, hash]) => `${hash}  ${name}\n`).join(''),
);

const isClean = output('git', 'status', '--porcelain', '--untracked-files=no') === '';
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [...files].map(([name, hash]) => ({ name, digest: { sha256: hash } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:plimsoll:build:npm',
      externalParameters: { command: 'npm ci --ignore-scripts && npm run build' },
      internalParameters: { node: process.version, npm: output('npm', '--version'), cleanTree: isClean },
      resolvedDependencies: [
        { name: 'source', digest: { gitCommit: output('git', 'rev-parse', 'HEAD') } },
        {
          name: 'package-lock.json',
          digest: { sha256: sha256(readFileSync(path.join(root, 'package-lock.json'))) },
        },
      ],
    },
    runDetails: {
      builder: { id: 'urn:plimsoll:builder:local' },
      metadata: { startedOn, finishedOn: new Date().toISOString() },
    },
  },
};
writeFileSync(path.join(folder, 'provenance.json'), `${JSON.stringify(statement, null, 2)}\n`);
process.stdout.write(`${files.size} files in ${folder}/SHA256SUMS\n`);
if (!isClean) {
  process.stderr.write('the working tree has changes that are not committed\n');
  process.exitCode = 1;
}
