import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * The process that listens on a TCP port, such as `process 1234 (node)`; null if it is another user's, or without /proc.
 */
export async function portHolder(port: number): Promise<string | null> {
  const sockets = new Set((await listeningInodes(port)).map((inode) => `socket:[${inode}]`));
  const pids = sockets.size === 0 ? [] : (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const folder = path.join('/proc', pid, 'fd');
    for (const file of await readdir(folder).catch(() => [])) {
      if (!sockets.has(await readlink(path.join(folder, file)).catch(() => ''))) continue;
      const name = await readFile(path.join('/proc', pid, 'comm'), 'utf8').catch(() => '');
      return `process ${pid} (${name.trim()})`;
    }
  }
  return null;
}

/** The inodes of the sockets that listen on a port. proc_net_tcp(5): fields 2, 4 and 10; state 0A is LISTEN. */
async function listeningInodes(port: number): Promise<readonly string[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(path.join('/proc/net', name), 'utf8').catch(() => '')),
  );
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables
    .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === '0A')
    .flatMap((fields) => fields[9] ?? []);
}
