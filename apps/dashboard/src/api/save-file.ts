/** Saves data as a file of the user. */
export function saveFile(data: Blob, name: string): void {
  const address = URL.createObjectURL(data);
  followLink(address, name);
  // The browser reads the URL after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has the browser save what is at an address. Without a name the server sets it. */
export function followLink(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
