import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';

/** The contract is taken for its types, which leave nothing behind: what would be bundled of it is a mistake. */
const typesOnly: Plugin = {
  name: 'plimsoll:types-only',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id.startsWith('@plimsoll/')) this.error(`${importer ?? id} imports more than types of ${id}`);
  },
};

export default defineConfig({
  plugins: [
    typesOnly,
    react(),
    // The API serves what lies beside a file as .br or .gz, so that it compresses nothing itself.
    compression({
      include: /\.(js|css|svg)$/,
      threshold: 1_024,
      algorithms: [defineAlgorithm('gzip', { level: 9 }), defineAlgorithm('brotliCompress', {})],
    }),
  ],
  // The API puts another nonce in for this word each time it serves the page.
  html: { cspNonce: 'PLIMSOLL_CSP_NONCE' },
  build: {
    target: 'es2023',
    // Strict Content-Security-Policy: nothing is inlined as data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
