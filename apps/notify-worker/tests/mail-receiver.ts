import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startedPer } from '@plimsoll/testing';
import { SMTPServer } from 'smtp-server';

/** An SMTP server that notes the Message-IDs it gets. */
export interface MailReceiver {
  readonly port: number;
  /** The Message-IDs of messages that were sent to their end, in order. */
  readonly offered: readonly string[];
  /** Of those that the server took. */
  readonly accepted: readonly string[];
  /** The accepted messages, as sent. */
  readonly messages: readonly string[];
  /** The connections that clients have not closed. */
  openConnections(): number;
  behaves(behaviour: 'accept' | 'refuse' | 'hang' | 'close'): void;
  /** Nothing listens on the port from now on. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** A mail server for each test. */
export function mailReceiverPerTest(): MailReceiver {
  return startedPer('test', startMailReceiver, (mail) => mail.stop());
}

/** Starts a server without encryption that accepts everything. */
export async function startMailReceiver(): Promise<MailReceiver> {
  const offered: string[] = [];
  const accepted: string[] = [];
  const messages: string[] = [];
  let behaviour: 'accept' | 'refuse' | 'hang' | 'close' = 'accept';
  let server: SMTPServer | null = null;
  const listen = async (port: number) => {
    server = new SMTPServer({
      logger: false,
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 10,
      onData(stream, session, callback) {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          const id = /^Message-ID: <(.*)>/im.exec(text)?.[1] ?? '';
          offered.push(id);
          if (behaviour === 'hang') return;
          if (behaviour === 'close') callback(Object.assign(new Error('closing'), { responseCode: 421 }));
          else if (behaviour === 'refuse')
            callback(Object.assign(new Error('try later'), { responseCode: 451 }));
          else {
            accepted.push(id);
            messages.push(text);
            callback();
          }
        });
        void session;
      },
    });
    server.on('error', () => undefined);
    const listening = server.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    return (listening.address() as AddressInfo).port; // It listens on TCP.
  };
  const close = async () => {
    const open = server;
    server = null;
    if (open !== null) await new Promise<void>((resolve) => open.close(() => resolve()));
  };
  const port = await listen(0);
  return {
    port,
    offered,
    accepted,
    messages,
    openConnections: () => server?.connections.size ?? 0,
    behaves(next) {
      behaviour = next;
    },
    goAway: close,
    async comeBack() {
      await listen(port);
    },
    stop: close,
  };
}
