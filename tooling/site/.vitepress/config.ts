import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfigWithTheme } from 'vitepress';
import { pageLink, pagePath, READERS, repositoryRoot, titleOf } from '../src/readers.js';
import { followRepositoryLinks, fragmentOf } from '../src/repository-links.js';
import { separateScripts } from '../src/separate-scripts.js';
import type { Shown } from './theme/start-page.js';

/** Where the main service of a development start serves the site. */
const BASE = '/dev/docs/';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** A test compares it with that of the services. */
const version = /"version": "(.+)"/.exec(readFileSync(here('../package.json'), 'utf8'))?.[1] ?? '';

const copied = new Set<string>();
const scripts = new Map<string, string>();

const items = (files: readonly string[]) =>
  files.map((file) => ({ text: file === 'README.md' ? 'Overview' : titleOf(file), link: pageLink(file) }));

export default defineConfigWithTheme<DefaultTheme.Config & Shown>({
  title: 'Gatehouse',
  description: 'Sign-in, accounts and permissions for a product.',
  srcDir: '../..',
  // Other Markdown files of the repository are for its maintainers.
  srcExclude: [
    '.*/**',
    'packages/!(client-sdk)/**',
    'tooling/!(site)/**',
    '**/dist/**',
    '**/.next/**',
    '**/.data/**',
  ],
  outDir: here('../dist'),
  cacheDir: here('../node_modules/.vitepress'),
  base: BASE,
  rewrites: pagePath,
  cleanUrls: true,
  metaChunk: true,
  // Every other link without a target fails the build.
  ignoreDeadLinks: 'localhostLinks',
  // A style sheet that is made from text while colors change, which the policy of the page forbids.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', href: `${BASE}mark.svg`, type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify: fragmentOf },
    config: (md) => {
      // In the documents a word in angle brackets is not an element.
      md.set({ html: false });
      followRepositoryLinks(md, copied);
    },
  },
  themeConfig: {
    logo: { light: '/mark.svg', dark: '/mark-dark.svg', alt: '' },
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ text: `Version ${version}`, link: pageLink('CHANGELOG.md') }],
    sidebar: READERS.map(({ name, files, more = {} }) => ({
      text: name,
      items: [
        ...items(files),
        // Each links to the first of its pages, because a button may not contain another one.
        ...Object.entries(more).map(([title, all]) => {
          const pages = items(all);
          return { text: title, link: pages[0]?.link, collapsed: true, items: pages };
        }),
      ],
    })),
    readers: READERS.map(({ name, about, first }) => ({
      name,
      about,
      first: first.map(([text, target]) => ({ text, link: pageLink(target) })),
    })),
  },
  vite: {
    // The files of the repository that contain secrets are not part of the site.
    envDir: here('.'),
    publicDir: false,
    build: { assetsInlineLimit: 0 },
    // The pages are outside this package, which alone has Vue.
    plugins: [
      {
        name: 'vue-of-this-package',
        enforce: 'pre',
        resolveId: (id, _importer, { ssr }) =>
          ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : undefined,
      },
    ],
  },
  transformHtml: (html) => separateScripts(html, BASE, scripts),
  buildEnd: ({ outDir }) => {
    for (const [name, code] of scripts) writeFileSync(join(outDir, name), code);
    for (const file of copied) {
      mkdirSync(dirname(join(outDir, 'files', file)), { recursive: true });
      copyFileSync(join(repositoryRoot, file), join(outDir, 'files', file));
    }
    const mark = readFileSync(join(repositoryRoot, 'apps/portal/public/mark.svg'), 'utf8');
    writeFileSync(join(outDir, 'mark.svg'), mark);
    writeFileSync(
      join(outDir, 'mark-dark.svg'),
      mark.replace('#16283a', '#f0ece2').replace('#c77c11', '#e3a64a'),
    );
  },
});
