import { decodeKey, encodeKey } from './key-text.ts';
import {
  rawPrivateKey,
  type SealingKey,
  type SealingPublicKey,
  sealingKeyOf,
  sealingPublicKey,
} from './sealing-key.ts';
import { SecretsError } from './secrets-error.ts';

const privateWord = Buffer.from('x25519-private ');
const publicWord = Buffer.from('x25519-public ');
const ringIntroduction = `# Private keys of Plimsoll, newest first: they open what the database has sealed to them, such as
# the SSH keys of hosts. Whoever reads this file and the database has these secrets.
`;
const publicIntroduction = '# The public key of Plimsoll that secrets are sealed to.\n';

/** The text of a key ring file, newest key first; the caller overwrites it. */
export function writeRingText(keys: readonly SealingKey[]): Buffer {
  const parts: Buffer[] = [Buffer.from(ringIntroduction)];
  const secrets: Buffer[] = [];
  for (const { publicKey, privateKey } of keys) {
    const raw = rawPrivateKey(privateKey);
    const text = encodeKey(raw);
    secrets.push(raw, text);
    parts.push(Buffer.from(`# ${publicKey.keyId}\n`), privateWord, text, Buffer.from('\n'));
  }
  const whole = Buffer.concat(parts);
  for (const secret of secrets) secret.fill(0);
  return whole;
}

/**
 * The keys of a key ring file in its order, at least one. Throws SecretsError `file_malformed` with the line number;
 * `file` is only for the message. The caller overwrites the text.
 */
export function readRingText(text: Buffer, file: string): readonly [SealingKey, ...SealingKey[]] {
  const keys: SealingKey[] = [];
  for (const { line, number } of linesOf(text)) {
    if (!startsWith(line, privateWord)) throw malformed(file, number, 'is no x25519-private key');
    const bytes = decodeKey(line.subarray(privateWord.length));
    if (bytes === null) throw malformed(file, number, 'is no x25519-private key');
    const key = sealingKeyOf(bytes);
    bytes.fill(0);
    if (keys.some(({ publicKey }) => publicKey.keyId === key.publicKey.keyId)) {
      throw malformed(file, number, `repeats key ${key.publicKey.keyId}`);
    }
    keys.push(key);
  }
  const [newest, ...older] = keys;
  if (newest === undefined) throw new SecretsError('file_malformed', `${file} contains no key.`);
  return [newest, ...older];
}

/** The text of a public key file. */
export function writePublicText({ keyId, bytes }: SealingPublicKey): Buffer {
  return Buffer.concat([
    Buffer.from(`${publicIntroduction}# ${keyId}\n`),
    publicWord,
    encodeKey(bytes),
    Buffer.from('\n'),
  ]);
}

/**
 * The single key of a public key file. Throws SecretsError as readRingText does; a private key gets its own message.
 */
export function readPublicText(text: Buffer, file: string): SealingPublicKey {
  let found: SealingPublicKey | null = null;
  for (const { line, number } of linesOf(text)) {
    if (startsWith(line, privateWord.subarray(0, -1))) {
      throw malformed(file, number, 'is a private key, which has no business in a public key file');
    }
    const bytes = startsWith(line, publicWord) ? decodeKey(line.subarray(publicWord.length)) : null;
    if (bytes === null) throw malformed(file, number, 'is no x25519-public key');
    if (found !== null) throw malformed(file, number, 'is a second key, where one is to be');
    found = sealingPublicKey(bytes);
  }
  if (found === null) throw new SecretsError('file_malformed', `${file} contains no key.`);
  return found;
}

/** The lines with content, numbered from 1, as views of the text without copies. */
function* linesOf(text: Buffer): Generator<{ readonly line: Buffer; readonly number: number }> {
  let start = 0;
  for (let number = 1; start < text.length; number += 1) {
    const newline = text.indexOf(0x0a, start);
    const end = newline === -1 ? text.length : newline;
    const line = trimmed(text.subarray(start, end));
    if (line.length > 0 && line[0] !== 0x23) yield { line, number };
    start = end + 1;
  }
}

/** The line without spaces, tabs and carriage returns at its ends. */
function trimmed(line: Buffer): Buffer {
  const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;
  let start = 0;
  let end = line.length;
  while (start < end && isBlank(line[start])) start += 1;
  while (end > start && isBlank(line[end - 1])) end -= 1;
  return line.subarray(start, end);
}

function startsWith(line: Buffer, word: Buffer): boolean {
  return line.subarray(0, word.length).equals(word);
}

function malformed(file: string, number: number, what: string): SecretsError {
  return new SecretsError('file_malformed', `Line ${number} of ${file} ${what}.`);
}
