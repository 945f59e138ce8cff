/** Code of a page could not be fetched: Plimsoll was upgraded since this page was loaded, or it cannot be reached. */
export class PageMissing extends Error {
  override readonly name = 'PageMissing';

  constructor(options: ErrorOptions) {
    super('Plimsoll was updated or cannot be reached.', options);
  }
}

/** Loads the code of a page or of a part of one; rejects with `PageMissing` where that fails. */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new PageMissing({ cause });
  }
}

const storageKey = 'plimsoll.reloaded';
/** A second reload within this time would not help either. */
const quietMs = 60_000;

/** Reloads the page, at most once a minute, if the server now serves another version of the dashboard. */
export async function reloadIfUpgraded(): Promise<void> {
  const reloadedAt = Number(sessionStorage.getItem(storageKey) ?? 0);
  if (Date.now() - reloadedAt < quietMs || !(await isUpgraded())) return;
  sessionStorage.setItem(storageKey, String(Date.now()));
  location.reload();
}

/** Whether the page that the server serves now starts with another script than this one did. */
async function isUpgraded(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  const path = own === null ? null : own.getAttribute('src');
  if (path === null) return false;
  try {
    const response = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } });
    return response.ok && !(await response.text()).includes(path);
  } catch {
    return false;
  }
}
