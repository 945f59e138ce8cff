import { open } from 'node:fs/promises';

/**
 * Appends lines to a file and waits until they are on the disk. The file is made with mode 0600 if it is missing, also
 * after a program for log rotation has moved it. A last line that a crash left incomplete gets its own end first.
 */
export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const begins = bytesRead === 0 || buffer[0] === 0x0a;
    await handle.appendFile(`${begins ? '' : '\n'}${lines.join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
