import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The dashboard as apps/dashboard builds it. */
export interface Dashboard {
  /** Holds what the page refers to. */
  readonly folder: string;
  /** index.html, with `noncePlaceholder` where each answer has a nonce of its own. */
  readonly page: string;
}

/** What stands in the built page for the nonce (apps/dashboard/vite.config.ts). */
export const noncePlaceholder = 'PLIMSOLL_CSP_NONCE';

/** Reads the dashboard's page from its output folder. Rejects, saying what to do, where it is not built. */
export async function readDashboard(folder: string): Promise<Dashboard> {
  const file = path.join(folder, 'index.html');
  try {
    return { folder, page: await readFile(file, 'utf8') };
  } catch (error) {
    throw new Error(`${file} cannot be read. Build it with: npm run build -w @plimsoll/dashboard`, {
      cause: error,
    });
  }
}
