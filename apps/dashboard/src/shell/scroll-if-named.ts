/**
 * A ref for an element with an id: scrolls to it if the address names it. The router looks for it when the page opens,
 * before what is read from the server is in the document.
 */
export function scrollIfNamed(element: HTMLElement | null): void {
  if (element !== null && location.hash === `#${element.id}`) element.scrollIntoView();
}
