import { setTimeout as wait } from 'node:timers/promises';

/** Polls until `condition` is true; throws with `what` after two and a half minutes. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 150_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await wait(10);
  }
}
