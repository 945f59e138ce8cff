/**
 * Builds the scripts from src/: `node build.mjs [FOLDER]` writes the collectors and the agent into FOLDER, by
 * default dist/. The same sources produce the same bytes: a collector's SHA-256 is its identity.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
const outputFolder = path.resolve(process.argv[2] ?? path.join(here, 'dist'));

const common = ['environment', 'section', 'host', 'processes'];
const bothFamilies = ['apt-lists', 'apt', 'package-manager', 'rpm', 'family'];
const scripts = {
  'collector.sh': ['heading-collector', ...common, ...bothFamilies, 'main-collector'],
  'collector-apt.sh': ['heading-apt', ...common, 'apt-lists', 'apt', 'main-apt'],
  'collector-rpm.sh': ['heading-rpm', ...common, 'package-manager', 'rpm', 'main-rpm'],
  'plimsoll-agent': [
    'heading-agent',
    ...common,
    ...bothFamilies,
    ...[
      'state',
      'http',
      'reader',
      'snapshot',
      'enroll',
      'run',
      'seen',
      'status',
      'units',
      'schedule',
      'install',
      'main',
    ].map((part) => `agent/${part}`),
  ],
};

mkdirSync(outputFolder, { recursive: true });
for (const [name, parts] of Object.entries(scripts)) {
  const text = parts.map((part) => readFileSync(path.join(here, 'src', `${part}.sh`), 'utf8')).join('\n');
  writeFileSync(path.join(outputFolder, name), text.replaceAll('@VERSION@', version), { mode: 0o755 });
}
