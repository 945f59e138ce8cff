import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A type of host key, as `ssh-keygen -t` names it, with its size where there are several. */
export type SshdKeyType = 'ed25519' | 'ecdsa-256' | 'ecdsa-384' | 'ecdsa-521' | 'rsa-2048';

/** A host key for test servers, which can be reused. */
export interface SshdHostKey {
  readonly type: SshdKeyType;
  /** The private file's content. Has no value: made for one test. */
  readonly privateText: string;
  /** `SHA256:…` as ssh-keygen prints it. */
  readonly fingerprint: string;
}

/** Makes a host key. */
export async function createSshdHostKey(type: SshdKeyType): Promise<SshdHostKey> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-host-key-'));
  try {
    const file = path.join(folder, 'key');
    const [name = '', bits] = type.split('-');
    await run('ssh-keygen', [
      '-q',
      '-t',
      name,
      ...(bits ? ['-b', bits] : []),
      '-N',
      '',
      '-C',
      '',
      '-f',
      file,
    ]);
    const { stdout } = await run('ssh-keygen', ['-lf', `${file}.pub`]);
    const fingerprint = /SHA256:\S+/.exec(stdout)?.[0];
    if (fingerprint === undefined) throw new Error(`ssh-keygen printed no fingerprint: ${stdout}`);
    return { type, privateText: await readFile(file, 'utf8'), fingerprint };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
