/** Where the focus may go when the focused element is gone, beside elements that can have it anyway. */
const places =
  'main, section[aria-labelledby], section[aria-label], article[aria-label], [role="dialog"], [role="alertdialog"], [role="tabpanel"], [tabindex]';

/** What had the focus, and what surrounded it then: an element that is gone no longer has surroundings. */
interface Trail {
  readonly focused: Element;
  /** Nearest first. */
  readonly around: readonly Element[];
  /** Whether the focus was shown, as after the keyboard was used. */
  readonly isShown: boolean;
}

/**
 * Keeps the focus in the page when the focused element disappears or is disabled, for example because its action is
 * done; a browser would drop it to the body, and the keyboard would start again at the top. It goes to the heading of
 * the nearest surroundings that are left, or to them: the table, the panel, the dialog, the page. A removed element that
 * is back has it again. Call it once.
 */
export function keepFocus(): void {
  let last: Trail | null = null;
  let lastInPage: Trail | null = null;
  let isPressing = false;

  addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof Element)) return;
      last = trailOf(target);
      if (target.closest('main') !== null) lastInPage = last;
    },
    { capture: true },
  );
  addEventListener(
    'mousedown',
    () => {
      isPressing = true;
      setTimeout(() => {
        isPressing = false;
      });
    },
    { capture: true },
  );
  // A press beside everything that can have the focus: the user wants it nowhere.
  addEventListener(
    'focusout',
    ({ relatedTarget }) => {
      if (relatedTarget === null && isPressing) last = lastInPage = null;
    },
    { capture: true },
  );

  const restore = (): void => {
    if (last === null || !isLost(last)) return;
    const place = homeOf(last) ?? (lastInPage && homeOf(lastInPage));
    if (place !== null) take(place, last.isShown);
  };
  new MutationObserver(() => {
    // The components' own dialogs and lists return the focus in the next frame.
    if (last !== null && isLost(last)) requestAnimationFrame(() => requestAnimationFrame(restore));
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

/** Shows the top of the page and starts there: after an action that changes what the page is about. */
export function focusTop(): void {
  scrollTo({ top: 0 });
  const main = document.querySelector('main');
  if (main !== null) take(headingOf(main) ?? main, false);
}

function trailOf(focused: Element): Trail {
  const around: Element[] = [];
  for (let each = focused.parentElement; each !== null; each = each.parentElement) around.push(each);
  return { focused, around, isShown: focused.matches(':focus-visible') };
}

function isLost({ focused }: Trail): boolean {
  const isNowhere = document.activeElement === null || document.activeElement === document.body;
  return isNowhere && focused !== document.body;
}

/** Null if nothing of the page is left that surrounded the element. */
function homeOf({ focused, around }: Trail): HTMLElement | null {
  if (canHaveFocus(focused)) return focused;
  const place = around.find((each) => each.isConnected && each.matches(places));
  if (!(place instanceof HTMLElement)) return null;
  return headingOf(place) ?? place;
}

function canHaveFocus(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && !element.matches(':disabled');
}

/** The heading of a panel or of the page. Of a dialog it is read with the dialog. */
function headingOf(place: HTMLElement): HTMLElement | null {
  if (place.localName === 'main') return place.querySelector('h1');
  const id = place.localName === 'section' ? place.getAttribute('aria-labelledby') : null;
  return id === null ? null : document.getElementById(id);
}

/** Focuses an element, also one that is not a control. Scrolls to it only for a user who sees where the focus is. */
function take(element: HTMLElement, isShown: boolean): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
  if (isShown) element.scrollIntoView({ block: 'nearest' });
}
