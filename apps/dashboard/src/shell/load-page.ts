/** The code of a page cannot be fetched: the server was upgraded after this page was loaded, or does not respond. */
export class PageMissing extends Error {
  override readonly name = 'PageMissing';

  constructor(options: ErrorOptions) {
    super('Plimsoll was updated or cannot be reached.', options);
  }
}

/** Loads the code of a page or of a part of it. Rejects with `PageMissing`. */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new PageMissing({ cause });
  }
}

const storageKey = 'plimsoll.reloaded';
/** Time in which a second reload would not help. */
const quietMs = 60_000;

/** Reloads the page if the server has another version of the dashboard; at most once a minute. */
export async function reloadIfUpgraded(): Promise<void> {
  const reloadedAt = Number(sessionStorage.getItem(storageKey) ?? 0);
  if (Date.now() - reloadedAt < quietMs || !(await isUpgraded())) return;
  sessionStorage.setItem(storageKey, String(Date.now()));
  location.reload();
}

/** Whether the server's page starts with another script than this page. */
async function isUpgraded(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  const path = own === null ? null : own.getAttribute('src');
  if (path === null) return false;
  try {
    const response = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } });
    return response.ok && !(await response.text()).includes(path);
  } catch {
    // The server does not answer: a reload would lose this page.
    return false;
  }
}
