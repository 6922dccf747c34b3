import { basename } from 'node:path';
import type { Plugin } from 'vite';

/** The text font, which every document shows first. */
const TEXT_FONT = /hyperlegible-next-latin-wght-normal[^/]*\.woff2$/;

/**
 * Documents of screens: what all of them have in their head, the text font loaded early, and their place at the top of the
 * build, wherever their source is.
 */
export function screenDocuments({
  base,
  hasBrand,
}: {
  readonly base: string;
  /** Whether the service has a brand for these documents. */
  readonly hasBrand: boolean;
}): Plugin {
  // The service has it from its configuration, which no build knows.
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
            { tag: 'link', attrs: { rel: 'icon', href: `${base}mark.svg` } },
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
