import ssh2 from 'ssh2';
import { createIdentity } from '../src/identity.ts';
import type { Site } from './site.ts';

/** One connection on which commands are requested one after another. */
export interface RawSession {
  ask(command: string, input?: string | Uint8Array): Promise<{ status: number | null; stdout: string }>;
  end(): void;
}

/** Logs in with the site's key, as a thief with their own client would. */
export function openRawSession({ sshd, pair }: Site, user: string): Promise<RawSession> {
  const client = new ssh2.Client();
  const session: RawSession = {
    ask: (command, input = '') =>
      new Promise((resolve, reject) => {
        client.exec(command, (error, channel) => {
          if (error) return reject(error);
          let stdout = '';
          channel.on('data', (chunk: Buffer) => {
            stdout += chunk.toString('latin1');
          });
          channel.stderr.resume();
          channel.on('close', (status: number | null) => resolve({ status: status ?? null, stdout }));
          channel.end(input);
        });
      }),
    end: () => client.end(),
  };
  return new Promise((resolve, reject) => {
    client.on('ready', () => resolve(session)).on('error', reject);
    client.on('connect', () => client.setNoDelay(true));
    client.connect({
      host: '127.0.0.1',
      port: sshd.port,
      username: user,
      authHandler: (methods) =>
        methods === null ? { type: 'publickey', username: user, key: createIdentity(pair) } : false,
    });
  });
}
