import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compiledMessages } from '@gatehouse/web/compiled-messages';
import {
  compressedFiles,
  SHARED_GROUP,
  screenAddresses,
  screenDocuments,
} from '@gatehouse/web/screen-documents';
import tailwindcss from '@tailwindcss/vite';
import { defaultClientConditions, defineConfig } from 'vite';

const BASE = '/portal/';

/** Older browsers would get `light-dark()` rewritten, which then no longer follows `color-scheme`. */
const BROWSERS = ['chrome123', 'safari17.5', 'firefox120'];

/** Screens for people who are not signed in are small documents of their own: Preact plays React there. */
const PREACT = Object.fromEntries(
  Object.entries({
    'react-dom/client': 'preact/compat/client',
    'react/jsx-runtime': 'preact/jsx-runtime',
    react: 'preact/compat',
  }).map(([name, played]) => [name, fileURLToPath(import.meta.resolve(played))]),
);

/** The running service answers everything that is not a source of the portal. */
const SERVICE = process.env['GATEHOUSE_URL'] ?? 'http://localhost:4000';

/**
 * Two builds into one folder, by mode: `signed-out` has a document a screen, `signed-in` one for all. Each begins with the
 * HTML files of its folder. The development server has both, with React for all.
 */
export default defineConfig(({ mode, command }) => {
  const isServed = command === 'serve';
  const isSignedOut = mode !== 'signed-in';
  const folder = new URL(isSignedOut ? 'src/signed-out/' : 'src/signed-in/', import.meta.url);
  return {
    base: BASE,
    root: 'src',
    publicDir: isSignedOut ? '../public' : false,
    resolve: {
      conditions: ['@gatehouse/source', ...defaultClientConditions],
      alias: isSignedOut && !isServed ? PREACT : {},
    },
    plugins: [
      tailwindcss(),
      compiledMessages(`messages-${isSignedOut ? 'signed-out' : 'signed-in'}.list`),
      screenAddresses({ base: BASE, folder: 'signed-out', home: 'signed-in/home.html' }),
      screenDocuments({ base: BASE, hasBrand: true }),
      compressedFiles(),
    ],
    define: isServed ? {} : { 'process.env.NODE_ENV': JSON.stringify('production') },
    server: {
      port: 5173,
      strictPort: true,
      proxy: {
        '^/(?!portal/)': { target: SERVICE, changeOrigin: true },
        [`^${BASE}(brand\\.css|logo\\.\\w+)$`]: { target: SERVICE, changeOrigin: true },
      },
    },
    build: {
      outDir: '../dist',
      emptyOutDir: isSignedOut,
      // The policy allows no data: fonts, and what is inlined is loaded by everybody.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: BROWSERS,
      cssTarget: BROWSERS,
      rolldownOptions: {
        input: readdirSync(folder)
          .filter((name) => name.endsWith('.html'))
          .map((name) => new URL(name, folder).pathname),
        // The service's paths ignore case.
        output: {
          hashCharacters: 'base36',
          codeSplitting: { groups: [SHARED_GROUP] },
        },
        // For servers that render pages; these pages have none.
        onLog(level, log, tell) {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
        },
      },
    },
  };
});
