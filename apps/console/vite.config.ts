import { compiledMessages } from '@gatehouse/web/compiled-messages';
import { compressedFiles } from '@gatehouse/web/compressed-files';
import { screenDocuments } from '@gatehouse/web/screen-documents';
import tailwindcss from '@tailwindcss/vite';
import { defaultClientConditions, defineConfig } from 'vite';

const BASE = '/console/';

/** Older browsers would get `light-dark()` rewritten, which then no longer follows `color-scheme`. */
const BROWSERS = ['chrome123', 'safari17.5', 'firefox120'];

/** One document for all paths. Its screens are loaded when they are opened. */
export default defineConfig({
  base: BASE,
  root: 'src',
  publicDir: '../public',
  resolve: { conditions: ['@gatehouse/source', ...defaultClientConditions] },
  plugins: [
    tailwindcss(),
    compiledMessages(),
    screenDocuments({ base: BASE, hasBrand: false }),
    compressedFiles(),
  ],
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
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
      output: { hashCharacters: 'base36' },
      // For servers that render; there is none here.
      onLog(level, log, tell) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
    },
  },
});
