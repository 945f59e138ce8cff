import type { Page, Route } from 'playwright-core';

/**
 * Answers the requests to `address` (a glob) with `fail` until a button is pressed on a document that the page loads
 * after this call; later requests reach the server. Requests that the page repeats by itself fail, too, so only the
 * pressed button gets a response.
 */
export async function failUntilPressed(
  page: Page,
  address: string,
  fail: (route: Route) => Promise<void>,
): Promise<void> {
  let isPressed = false;
  await page.exposeFunction('buttonIsPressed', () => {
    isPressed = true;
  });
  await page.addInitScript(() => {
    const { buttonIsPressed } = window as unknown as { buttonIsPressed: () => void }; // exposed by the line above
    const watch = ({ target }: Event) =>
      target instanceof Element && target.closest('button') && buttonIsPressed();
    document.addEventListener('pointerdown', watch, { capture: true });
  });
  await page.route(address, (route) => (isPressed ? route.continue() : fail(route)));
}
