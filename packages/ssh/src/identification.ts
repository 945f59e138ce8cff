import type { Socket } from 'node:net';
import { untilAborted } from './deadline.ts';
import { printable } from './printable.ts';
import { SessionFailure } from './session-failure.ts';

/** A server may send text before its identification (RFC 4253, section 4.2); more than this is not SSH. */
const greetingLimitBytes = 16_384;

/**
 * Waits for the line that identifies an SSH server and puts it back, so that the next reader starts with it: ssh2 loses
 * parts of a greeting that arrives in more than two pieces. Rejects with SessionFailure if the server does not speak
 * SSH; leaves the socket paused.
 */
export function readIdentification(socket: Socket, at: string, signal: AbortSignal): Promise<void> {
  let received = Buffer.alloc(0);
  return untilAborted<void>(signal, (resolve, reject) => {
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const start = startOfIdentification(received);
      if (start !== null) {
        socket.pause();
        socket.unshift(received.subarray(start));
        resolve();
      } else if (received.length > greetingLimitBytes) {
        reject(foreign(received, at));
      }
    };
    const ended = () => reject(foreign(received, at));
    const failed = (cause: Error) => reject(foreign(received, at, cause));
    socket.on('data', read).once('end', ended).once('close', ended).once('error', failed);
    return () => {
      socket.off('data', read).off('end', ended).off('close', ended).off('error', failed);
    };
  });
}

function startOfIdentification(received: Buffer): number | null {
  let start = 0;
  for (let end = received.indexOf(10); end !== -1; end = received.indexOf(10, start)) {
    if (received.toString('latin1', start, start + 4) === 'SSH-') return start;
    start = end + 1;
  }
  return null;
}

function foreign(received: Buffer, at: string, cause?: Error): SessionFailure {
  const [line = ''] = received.toString('latin1', 0, 512).trimStart().split('\n');
  const words = printable(line, 80);
  return new SessionFailure(
    'connect_refused',
    words === ''
      ? `The connection to ${at} was closed before SSH began: check that it is sshd's port, and sshd's log (MaxStartups, penalties, hosts.deny).`
      : `What answers at ${at} is not SSH but says "${words}": check that it is sshd's port, and sshd's log.`,
    { mayHeal: true, cause },
  );
}
