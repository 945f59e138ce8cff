/** Saves data as a file of the user. */
export function saveFile(data: Blob, name: string): void {
  const address = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the URL after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
