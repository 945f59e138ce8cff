/**
 * Copies text to the clipboard. `selectShown` selects the same text on the page: over plain http there is no clipboard
 * API, and the browser copies the selection. Returns false if the browser refuses both; the text then stays selected.
 */
export async function copyText(text: string, selectShown: () => void): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // A permission or policy refused it: copying the selection may still work.
    }
  }
  selectShown();
  const hasCopied = document.execCommand('copy');
  if (hasCopied) getSelection()?.removeAllRanges();
  return hasCopied;
}
