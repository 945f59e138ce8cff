import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './faults.ts';
import { judge, type Verdict } from './verdict.ts';
import { startLoad, type World } from './world.ts';

/** A line of the table. */
export interface Row extends Verdict {
  readonly fault: string;
  /** Seconds from the end of the fault until a report was accepted, and until nothing waited after each host's last one. */
  readonly firstSeconds: number;
  readonly idleSeconds: number;
}

const holdMs = 1_000 * Number(process.env['TEST_FAULTS_SECONDS'] ?? 3);
/** An upload that has not ended after this time is stuck. */
const idleLimitMs = 120_000;

/** Sends reports, brings the faults about at once, takes them away, waits until nothing waits, and compares. */
export async function tryFaults(world: World, drawn: readonly Fault[]): Promise<Row> {
  const { service } = world;
  const asked = drawn.filter(({ isAsked }) => isAsked);
  const faults = [...asked, ...drawn.filter(({ isAsked }) => !isAsked)];
  const load = startLoad(world);
  await load.accepts(Date.now());
  await delay(1_000);
  for (const fault of faults) await fault.prepare?.(world);
  const inject = (some: readonly Fault[]) => Promise.allSettled(some.map((fault) => fault.inject(world)));
  const injected = [...(await inject(asked)), ...(await inject(faults.slice(asked.length)))];
  const missed = injected.flatMap((one, at) =>
    one.status === 'rejected' ? [`${faults[at]?.name}: not brought about: ${one.reason}`] : [],
  );
  await delay(holdMs * Math.max(...faults.map(({ lasts }) => lasts)));
  const healedAt = Date.now();
  const ended =
    service.isRunning() || faults.some(({ name }) => name.startsWith('supervisor')) ? [] : [service.output()];
  // As an init system does.
  service.start();
  await Promise.all(faults.map((fault) => fault.heal(world)));
  const firstMs = await load.accepts(healedAt);
  await load.finish();
  await untilIdle(world);
  const idleMs = Date.now() - healedAt;
  const verdict = await judge(world, load.ledger.uploads, 2_000);
  return {
    fault: faults.map(({ name }) => name).join(' + '),
    ...verdict,
    firstSeconds: firstMs / 1_000,
    idleSeconds: idleMs / 1_000,
    problems: [...verdict.problems, ...missed, ...ended],
  };
}

/** Waits until no work waits, at most until the limit. */
async function untilIdle({ client, key }: World): Promise<void> {
  const isIdle = async (): Promise<boolean> => {
    const { status, body } = await client.send({ path: '/system', token: key });
    const { work = [] } = body as { readonly work?: readonly { readonly waiting: number }[] }; // the contract's type
    return status === 200 && work.every(({ waiting }) => waiting === 0);
  };
  for (const deadline = performance.now() + idleLimitMs; performance.now() < deadline; await delay(100))
    if (await isIdle()) return;
}
