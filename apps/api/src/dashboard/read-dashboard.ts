import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The dashboard built by apps/dashboard, all of it in memory; later changes of the folder have no effect. */
export interface Dashboard {
  /** index.html, with `noncePlaceholder` where each answer gets its own nonce. */
  readonly page: string;
  /** All other files, by their path from the root of the site: `/assets/main-0a1b2c3d.js`. */
  readonly files: ReadonlyMap<string, DashboardFile>;
}

/** A file of the dashboard. */
export interface DashboardFile {
  readonly bytes: Buffer;
  /** Its compressed forms, by encoding. */
  readonly encoded: ReadonlyMap<FileEncoding, Buffer>;
  /** Its content type. */
  readonly type: string;
  /** A strong entity tag, in quotes. */
  readonly etag: string;
}

/** The encodings that the build makes, best first, with their file endings. */
const fileEncodings = { br: '.br', gzip: '.gz' } as const;
export type FileEncoding = keyof typeof fileEncodings;

/** The placeholder for the nonce in the built page (apps/dashboard/vite.config.ts). */
export const noncePlaceholder = 'PLIMSOLL_CSP_NONCE';

const pageName = 'index.html';
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Reads the dashboard from its output folder. Rejects with instructions if it is not built. */
export async function readDashboard(folder: string): Promise<Dashboard> {
  const file = path.join(folder, pageName);
  try {
    return { page: await readFile(file, 'utf8'), files: await readFiles(folder) };
  } catch (error) {
    throw new Error(`${file} cannot be read. Build it with: npm run build -w @plimsoll/dashboard`, {
      cause: error,
    });
  }
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, DashboardFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = new Map<string, Buffer>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    contents.set(`/${path.relative(folder, file).replaceAll(path.sep, '/')}`, await readFile(file));
  }
  const endings: readonly string[] = Object.values(fileEncodings);
  const plain = [...contents].filter(
    ([name]) => !endings.includes(path.extname(name)) && name !== `/${pageName}`,
  );
  return new Map(plain.map(([name, bytes]) => [name, fileOf(name, bytes, contents)]));
}

function fileOf(name: string, bytes: Buffer, contents: ReadonlyMap<string, Buffer>): DashboardFile {
  const encoded = new Map<FileEncoding, Buffer>();
  for (const encoding of Object.keys(fileEncodings) as FileEncoding[]) {
    // keys of the object itself
    const found = contents.get(name + fileEncodings[encoding]);
    if (found !== undefined) encoded.set(encoding, found);
  }
  return {
    bytes,
    encoded,
    type: types[path.extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
  };
}
