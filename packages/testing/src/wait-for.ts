/** Interval between checks of a condition, in milliseconds. */
const pollMs = 25;

/** Waits until a condition holds; fails with its description after `timeoutMs`. */
export async function waitFor(
  what: string,
  condition: () => Promise<boolean> | boolean,
  { timeoutMs = 120_000 }: { readonly timeoutMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs);
    });
  }
}
