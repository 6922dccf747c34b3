import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** The text font, which every document shows first. */
const TEXT_FONT = /hyperlegible-next-latin-wght-normal[^/]*\.woff2$/;

/**
 * The code that two or more signed-in screens need, in one file: on a slow line every file costs more than the few kB that a
 * screen does not need.
 */
export const SHARED_GROUP = { name: 'shared', test: /\.[jt]sx?$/, minShareCount: 2 };

/** The color of the page, which phones give to the bars around it. */
const THEME_COLORS = [
  { content: '#faf9f5', media: '(prefers-color-scheme: light)' },
  { content: '#0f1619', media: '(prefers-color-scheme: dark)' },
] as const;

/**
 * Documents of screens: the head that all of them share, the text font loaded early, and their place at the top of the build,
 * wherever their source is.
 */
export function screenDocuments({
  base,
  hasBrand,
}: {
  readonly base: string;
  /** Whether the service has a brand for these documents. */
  readonly hasBrand: boolean;
}): Plugin {
  // The service serves it from its configuration, which the build does not know.
  const brand = { tag: 'link', attrs: { rel: 'stylesheet', href: `${base}brand.css` } };
  return {
    name: 'gatehouse:screen-documents',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => TEXT_FONT.test(name));
        const preload = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
        return {
          html,
          tags: [
            { tag: 'meta', attrs: { name: 'viewport', content: 'width=device-width, initial-scale=1' } },
            { tag: 'meta', attrs: { name: 'color-scheme', content: 'light dark' } },
            { tag: 'meta', attrs: { name: 'robots', content: 'noindex' } },
            ...THEME_COLORS.map((attrs) => ({ tag: 'meta', attrs: { name: 'theme-color', ...attrs } })),
            { tag: 'link', attrs: { rel: 'icon', href: `${base}mark.svg` } },
            { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `${base}apple-touch-icon.png` } },
            ...(hasBrand ? [brand] : []),
            ...(font === undefined ? [] : [{ tag: 'link', attrs: { ...preload, href: `${base}${font}` } }]),
          ],
        };
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.fileName.endsWith('.html')) file.fileName = basename(file.fileName);
        }
      },
    },
  };
}

/**
 * Gives the documents of screens the addresses that the service gives to their build: `sign-in` for a file of the folder, and
 * the app's document for every other path that names no file. For the development server.
 * @param base ends in a slash
 * @param folder where the documents of single screens are, below the root
 * @param home the app's document, below the root
 */
export function screenAddresses({
  base,
  folder,
  home,
}: {
  readonly base: string;
  readonly folder?: string;
  readonly home: string;
}): Plugin {
  return {
    name: 'gatehouse:screen-addresses',
    apply: 'serve',
    configureServer({ config, middlewares }) {
      middlewares.use((request, _response, next) => {
        const [path = '', ...query] = (request.url ?? '').split('?');
        const document = path.startsWith(base) ? documentOf(path.slice(base.length)) : undefined;
        if (document !== undefined) request.url = [base + document, ...query].join('?');
        next();
      });

      function documentOf(name: string): string | undefined {
        // Modules have an extension or begin with a sign of Vite.
        if (/[@.]/.test(name)) return undefined;
        const own = folder === undefined ? undefined : `${folder}/${name}.html`;
        return own !== undefined && name !== '' && existsSync(join(config.root, own)) ? own : home;
      }
    },
    transformIndexHtml: {
      order: 'pre',
      // A document's address is not that of its file. Vite puts the base before it.
      handler: (html, { path }) => html.replaceAll('="./', `="${posix.join(posix.dirname(path), '/')}`),
    },
  };
}

const deflate = promisify(gzip);

const brotli = promisify(brotliCompress);

/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(?:html|js|css|svg|json)$/;

/** Writes a `.gz` and a `.br` beside each file of a build that gets smaller by it. */
export function compressedFiles(): Plugin {
  return {
    name: 'gatehouse:compressed-files',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir !== undefined) await compressFolder(dir);
    },
  };
}

async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compressFile(join(folder, name))),
  );
}

async function compressFile(path: string): Promise<void> {
  const text = await readFile(path);
  const small = await deflate(text, { level: 9 });
  const smaller = await brotli(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } });
  if (small.length < text.length) await writeFile(`${path}.gz`, small);
  if (smaller.length < text.length) await writeFile(`${path}.br`, smaller);
}
