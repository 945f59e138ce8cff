import { connect } from 'node:net';
import type { RedisLogin } from './redis-settings.ts';

/** `other` is a server that does not know the user, or not a Redis. */
export type RedisState = 'ready' | 'loading' | 'unreachable' | 'other';

/** Whether the Redis on a port of 127.0.0.1 accepts commands; answers within two seconds. */
export function pingRedis(port: number, { name, password }: RedisLogin): Promise<RedisState> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (state: RedisState): void => {
      socket.destroy();
      resolve(state);
    };
    socket.setTimeout(2000, () => finish('unreachable'));
    socket.once('error', () => finish('unreachable'));
    socket.once('close', () => finish('unreachable'));
    socket.once('connect', () => socket.write(`AUTH ${name} ${password}\r\nPING\r\n`));
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const [authenticated, pong] = answer.split('\r\n');
      if (pong === undefined || pong === '') {
        if (answer.length > 1000) finish('other');
      } else if (authenticated === '+OK' && pong === '+PONG') finish('ready');
      else if (answer.includes('-LOADING')) finish('loading');
      else finish('other');
    });
  });
}
