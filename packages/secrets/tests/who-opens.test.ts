import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const apps = path.resolve(__dirname, '../../../apps');
/** The apps that may read private keys. */
const openers = ['ssh-worker', 'notify-worker', 'cli'];
/** What the others may import from this package: it cannot read or open private data. */
const sealing = [
  'readSealingPublicKey',
  'seal',
  'sealingPublicKey',
  'SealingPublicKey',
  'SecretsError',
  'SecretsErrorCode',
];
/** What opens the data of one's own secret: it reads no key file. */
const ownSecret = ['openSealed', 'sealedKeyId', 'sealingKeyOfSecret', 'SealingKey'];
/** The files that may import these too: the API opens the secrets of authenticator apps and its key for evidence. */
const ownSecretFiles = ['second-factors/factor-secrets.ts', 'evidence/evidence-secrets.ts'].map((file) =>
  path.join(apps, 'api/src', file),
);
/** What signs evidence with a key that is given, and says what it has signed. */
const signing = [
  'evidenceFormat',
  'EvidenceFile',
  'manifestName',
  'signatureName',
  'signManifest',
  'signingFingerprint',
];
/** What makes that key out of its sealed half. */
const ownKey = ['generateSigningKey', 'signingKeyOf', 'SigningKey'];

function sourcesOf(app: string): readonly string[] {
  const folder = path.join(apps, app, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file));
}

/** The names that a source imports from this package; `*` for an import without names. */
function importedNames(source: string): readonly string[] {
  const statements = source.match(/\b(?:import|export)\b[^;]*?['"]@plimsoll\/secrets['"]/g) ?? [];
  const mentions = source.split('@plimsoll/secrets').length - 1;
  const named = statements.flatMap((statement) => {
    const [, list] = /^(?:import|export)(?:\s+type)?\s*\{([^}]*)\}\s*from\b/.exec(statement) ?? [];
    if (list === undefined) return ['*'];
    const names = list.split(',').map((name) => name.trim().replace(/^type\s+/, ''));
    return names.filter((name) => name !== '').map((name) => name.replace(/\s+as\s.*$/s, ''));
  });
  return statements.length === mentions ? named : [...named, '*'];
}

const closed = readdirSync(apps).filter((app) => !openers.includes(app));

it.each(closed)('%s imports nothing that could open a private key', (app) => {
  const names = sourcesOf(app).flatMap((file) => {
    const more = ownSecretFiles.includes(file) ? [...ownSecret, ...ownKey] : [];
    const allowed = [...sealing, ...signing, ...more];
    return importedNames(readFileSync(file, 'utf8')).filter((name) => !allowed.includes(name));
  });
  expect(names).toEqual([]);
});

it.each([
  [`import { createKeyRing } from '@plimsoll/secrets';`, ['createKeyRing']],
  [`import { seal, type KeyRing, loadRing as x } from '@plimsoll/secrets';`, ['seal', 'KeyRing', 'loadRing']],
  [`import * as secrets from '@plimsoll/secrets';`, ['*']],
  [`export * from "@plimsoll/secrets";`, ['*']],
  [`const { loadRing } = await import('@plimsoll/secrets');`, ['*']],
  [`import a from 'a';\nimport {\n  seal,\n} from '@plimsoll/secrets';`, ['seal']],
])('sees what %j imports', (source, names) => {
  expect(importedNames(source)).toEqual(names);
});
