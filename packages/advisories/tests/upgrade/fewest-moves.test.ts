import fc from 'fast-check';
import { fewestMoves, type MovableHost } from '../../src/upgrade/fewest-moves.ts';

const part = (upgrade: string | null, reboot: boolean, findings: number, urgent = 0) => ({
  upgrade,
  reboot,
  findings,
  urgent,
});
const host = (hostId: string, movable: MovableHost['movable'], blocked = 0): MovableHost => ({
  hostId,
  movable,
  blocked,
});

const words = (hosts: readonly MovableHost[], share: number): string[] =>
  fewestMoves(hosts, share).moves.map((move) =>
    move.kind === 'upgrade' ? move.upgrade : `reboot ${move.hostId}`,
  );

describe('fewestMoves', () => {
  it('counts an upgrade on all hosts as one move', () => {
    const fleet = ['a', 'b', 'c'].map((id) =>
      host(id, [part('openssl', false, 2), part(`own-${id}`, false, 1)]),
    );
    expect(words(fleet, 0.6)).toEqual(['openssl']);
    expect(fewestMoves(fleet, 0.6)).toMatchObject({ findings: 9, target: 6, closed: 6, atLeast: 1 });
  });

  it('needs the kernel and the reboot for what only both close', () => {
    const fleet = [host('a', [part('linux', true, 9), part('curl', false, 1)])];
    expect(fewestMoves(fleet, 0.8).moves).toEqual([
      { kind: 'upgrade', upgrade: 'linux', hosts: ['a'], closes: 0, enables: 9, urgent: 0 },
      { kind: 'reboot', hostId: 'a', closes: 9, urgent: 0 },
    ]);
  });

  it('takes a share of what can be closed if the share of all cannot be reached, and says so', () => {
    const { target, targetOf, closable, findings } = fewestMoves(
      [host('a', [part('curl', false, 2)], 8)],
      0.5,
    );
    expect({ target, targetOf, closable, findings }).toEqual({
      target: 1,
      targetOf: 'closable',
      closable: 2,
      findings: 10,
    });
  });

  it('prefers urgent findings, then names, among equal moves', () => {
    const fleet = [host('a', [part('zlib', false, 1), part('bash', false, 1), part('curl', false, 1, 1)])];
    expect(words(fleet, 0.1)).toEqual(['curl']);
    expect(words(fleet, 0.6)).toEqual(['curl', 'bash']);
  });

  it('needs no move where nothing is open', () => {
    expect(fewestMoves([host('a', [])], 0.8)).toEqual({
      findings: 0,
      closable: 0,
      target: 0,
      targetOf: 'all',
      closed: 0,
      moves: [],
      atLeast: 0,
    });
  });

  it('finds no more moves than an exhaustive search, in any order of hosts', () => {
    const movable = fc.record({
      upgrade: fc.constantFrom(null, 'a', 'b', 'linux', 'kernel'),
      reboot: fc.boolean(),
      findings: fc.integer({ min: 0, max: 5 }),
      urgent: fc.constant(0),
    });
    const fleet = fc.array(fc.record({ movable: fc.array(movable, { maxLength: 4 }), blocked: fc.nat(3) }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fleet, fc.double({ min: 0.05, max: 1, noNaN: true }), (drawn, share) => {
        const hosts = drawn.map((each, n) => ({ ...each, hostId: `h${n}` }));
        const found = fewestMoves(hosts, share);
        expect(found.closed).toBe(closedBy(hosts, keysOf(found)));
        expect(found.closed).toBeGreaterThanOrEqual(found.target);
        expect([found.moves.length, found.atLeast]).toEqual(Array(2).fill(exhaustive(hosts, found.target)));
        expect(fewestMoves([...hosts].reverse(), share)).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });

  it('gives a lower bound with more kernels than it can combine', () => {
    const fleet = Array.from({ length: 14 }, (_, n) => host(`h${n}`, [part(`linux-${n}`, true, n + 1)]));
    const { moves, atLeast, closed, target } = fewestMoves(fleet, 0.5);
    expect(closed).toBeGreaterThanOrEqual(target);
    expect(atLeast).toBeGreaterThan(0);
    expect(moves.length).toBeGreaterThanOrEqual(atLeast);
    expect(moves.length).toBeLessThanOrEqual(2 * atLeast);
  });
});

function keysOf({ moves }: ReturnType<typeof fewestMoves>): ReadonlySet<string> {
  return new Set(moves.map((move) => (move.kind === 'upgrade' ? `u ${move.upgrade}` : `r ${move.hostId}`)));
}

function closedBy(hosts: readonly MovableHost[], moves: ReadonlySet<string>): number {
  let closed = 0;
  for (const { hostId, movable } of hosts) {
    for (const { upgrade, reboot, findings } of movable) {
      if (upgrade === null && !reboot) continue;
      if ((upgrade === null || moves.has(`u ${upgrade}`)) && (!reboot || moves.has(`r ${hostId}`)))
        closed += findings;
    }
  }
  return closed;
}

function exhaustive(hosts: readonly MovableHost[], target: number): number {
  const all = [
    ...new Set(
      hosts.flatMap(({ hostId, movable }) =>
        movable.flatMap(({ upgrade, reboot }) => [
          ...(upgrade === null ? [] : [`u ${upgrade}`]),
          ...(reboot ? [`r ${hostId}`] : []),
        ]),
      ),
    ),
  ];
  let best = Number.POSITIVE_INFINITY;
  for (let bits = 0; bits < 2 ** all.length; bits++) {
    const chosen = new Set(all.filter((_, n) => (bits & (1 << n)) !== 0));
    if (chosen.size < best && closedBy(hosts, chosen) >= target) best = chosen.size;
  }
  return best;
}
