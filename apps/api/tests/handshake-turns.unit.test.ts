import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Connection, createServedClock, newConnection } from '../src/connections/connection.ts';
import { connectionLimits } from '../src/connections/connection-limits.ts';
import { createHandshakeTurns } from '../src/server/handshake-turns.ts';

const clock = createServedClock(500);

function connectionOf(address: string): Connection {
  const connection = newConnection(new Socket(), { clock, limits: connectionLimits, isOfProxy: false });
  return Object.assign(connection, { address });
}

function turnsOf(atOnce: number) {
  const begun: Connection[] = [];
  const evicted: Connection[] = [];
  const turns = createHandshakeTurns(atOnce, {
    begin: (connection) => void begun.push(connection),
    evict: (connection) => void evicted.push(connection),
  });
  return { turns, begun, evicted };
}

describe('handshakes', () => {
  it('begin one in a turn of the event loop, and a newcomer of another address is the next but one', async () => {
    const { turns, begun } = turnsOf(10);
    const flood = Array.from({ length: 6 }, () => connectionOf('192.0.2.1'));
    for (const connection of flood) turns.enter(connection);
    await turn();
    expect(begun).toEqual([flood[0]]);
    const newcomer = connectionOf('192.0.2.2');
    turns.enter(newcomer);
    await turn();
    await turn();
    expect(begun.indexOf(newcomer)).toBeGreaterThan(0);
    expect(begun).toHaveLength(3);
    while (begun.length < 7) await turn();
    expect(begun.filter((connection) => connection !== newcomer)).toEqual(flood);
  });

  it('that wait are forgotten when their clients leave', async () => {
    const { turns, begun } = turnsOf(10);
    const [first, second, third] = [1, 2, 3].map(() => connectionOf('192.0.2.1'));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three');
    for (const connection of [first, second, third]) turns.enter(connection);
    turns.leave(second);
    while (begun.length < 2) await turn();
    await turn();
    expect(begun).toEqual([first, third]);
  });

  it('that do not end make room: the oldest of the address with the most goes', async () => {
    const { turns, begun, evicted } = turnsOf(3);
    const other = connectionOf('192.0.2.2');
    const many = Array.from({ length: 4 }, () => connectionOf('192.0.2.1'));
    for (const connection of [other, ...many]) turns.enter(connection);
    while (begun.length < 5) await turn();
    expect(evicted).toEqual([many[0], many[1]]);
    for (const connection of [other, ...many]) turns.leave(connection);
    turns.enter(other);
    while (begun.length < 6) await turn();
    expect(evicted).toHaveLength(2);
  });
});
