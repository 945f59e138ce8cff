/**
 * Copies text to the clipboard. `selectShown` selects the same text on the page: pages served over plain http have no
 * clipboard API, and there the browser copies the selection. Returns false where the browser refuses both; the text
 * then stays selected.
 */
export async function copyText(text: string, selectShown: () => void): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused by a permission or policy: the older way may still work.
    }
  }
  selectShown();
  const hasCopied = document.execCommand('copy');
  if (hasCopied) getSelection()?.removeAllRanges();
  return hasCopied;
}
