import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';

/**
 * Fails the build if code of a workspace package other than the words would be bundled: of the others only types are imported.
 */
const typesOnly: Plugin = {
  name: 'plimsoll:types-only',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id.startsWith('@plimsoll/') && id !== '@plimsoll/words')
      this.error(`${importer ?? id} imports more than types of ${id}`);
  },
};

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url));

export default defineConfig({
  // Tells a browser whether its user has seen what changed.
  define: {
    'import.meta.env.CHANGES': JSON.stringify(
      createHash('sha256').update(changelog).digest('hex').slice(0, 16),
    ),
  },
  plugins: [
    typesOnly,
    react(),
    // The API serves the .br or .gz file beside a file, so it compresses nothing itself.
    compression({
      include: /\.(js|css|svg)$/,
      threshold: 1_024,
      algorithms: [defineAlgorithm('gzip', { level: 9 }), defineAlgorithm('brotliCompress', {})],
    }),
  ],
  // The API replaces this word with a new nonce whenever it serves the page.
  html: { cspNonce: 'PLIMSOLL_CSP_NONCE' },
  build: {
    target: 'es2023',
    // Strict Content-Security-Policy: no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
