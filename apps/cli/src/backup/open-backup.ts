import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { systemErrorCode } from '@plimsoll/model';
import { StartError } from '../service/start-error.ts';

/** What others make of a backup: how it begins, and the command that undoes it. */
const wrappings: readonly { readonly name: string; readonly begin: Buffer; readonly undo: string }[] = [
  { name: 'compressed by gzip', begin: Buffer.from('1f8b', 'hex'), undo: 'gunzip -c' },
  { name: 'compressed by zstd', begin: Buffer.from('28b52ffd', 'hex'), undo: 'zstd -dc' },
  { name: 'encrypted by age', begin: Buffer.from('age-encryption.org/'), undo: 'age -d -i KEY' },
  { name: 'encrypted by age', begin: Buffer.from('-----BEGIN AGE '), undo: 'age -d -i KEY' },
];

/**
 * Opens the file of a backup; `-`: standard input. Throws StartError if it cannot be read, or is compressed, encrypted or a
 * folder: with what to do to give it to `command`.
 */
export async function openBackup(file: string, command: string): Promise<AsyncIterable<Buffer>> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 2 ** 20 });
  await once(stream, 'readable').catch((cause: unknown) => {
    const code = systemErrorCode(cause) ?? String(cause);
    const reason = code === 'EISDIR' ? 'is a folder: name one of its files' : `cannot be read: ${code}`;
    throw new StartError(`${file} ${reason}.`, { cause });
  });
  const begin: Buffer = stream.read() ?? Buffer.alloc(0);
  const wrapping = wrappings.find((each) => begin.subarray(0, each.begin.length).equals(each.begin));
  if (wrapping === undefined) {
    stream.unshift(begin);
    return stream;
  }
  stream.destroy();
  const [subject, name] = file === '-' ? ['Standard input', 'FILE'] : [file, file];
  throw new StartError(`${subject} is ${wrapping.name}: run "${wrapping.undo} ${name} | ${command} -".`);
}
