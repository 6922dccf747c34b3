import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Plugin } from 'vite';

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
      // A document is not at the address of its file. Vite puts the base before.
      handler: (html, { path }) => html.replaceAll('="./', `="${posix.join(posix.dirname(path), '/')}`),
    },
  };
}
