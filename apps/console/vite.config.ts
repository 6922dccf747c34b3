import { compiledMessages } from '@gatehouse/web/compiled-messages';
import {
  compressedFiles,
  SHARED_GROUP,
  screenAddresses,
  screenDocuments,
} from '@gatehouse/web/screen-documents';
import tailwindcss from '@tailwindcss/vite';
import { defaultClientConditions, defineConfig } from 'vite';

const BASE = '/console/';

/** Older browsers would get `light-dark()` rewritten, which then no longer follows `color-scheme`. */
const BROWSERS = ['chrome123', 'safari17.5', 'firefox120'];

/** The running service answers everything that is not a source of the console. */
const SERVICE = process.env['GATEHOUSE_ADMIN_URL'] ?? 'http://localhost:4001';

/** One document for all paths. Its screens are loaded when they are opened. */
export default defineConfig(({ command }) => ({
  base: BASE,
  root: 'src',
  publicDir: '../public',
  resolve: { conditions: ['@gatehouse/source', ...defaultClientConditions] },
  plugins: [
    tailwindcss(),
    compiledMessages(),
    screenAddresses({ base: BASE, home: 'home.html' }),
    screenDocuments({ base: BASE, hasBrand: false }),
    compressedFiles(),
  ],
  define: command === 'serve' ? {} : { 'process.env.NODE_ENV': JSON.stringify('production') },
  server: {
    port: 5174,
    strictPort: true,
    proxy: { '^/(?!console/)': { target: SERVICE, changeOrigin: true } },
  },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    // The policy allows no data: fonts, and what is inlined is loaded by everybody.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: BROWSERS,
    cssTarget: BROWSERS,
    rolldownOptions: {
      input: new URL('src/home.html', import.meta.url).pathname,
      // The service's paths ignore case.
      output: { hashCharacters: 'base36', codeSplitting: { groups: [SHARED_GROUP] } },
      // For servers that render pages; these pages have none.
      onLog(level, log, tell) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
    },
  },
}));
