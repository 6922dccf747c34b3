import { posix, relative, sep } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { isFile, PAGES, pagePath, repositoryRoot } from './readers.js';

const PAGE_SET = new Set(PAGES);

/**
 * The documents link to each other by their files. This turns such a link into one to the page of that file, and a link to any
 * other file of the repository into one to a copy of it.
 * @param copied is given each file that needs a copy
 * @throws Error from the renderer, for a link to no file
 */
export function followRepositoryLinks(md: MarkdownRenderer, copied: Set<string>): void {
  md.core.ruler.push('repository-links', ({ tokens, env }: { tokens: readonly Token[]; env: Rendered }) => {
    const path = env.realPath ?? env.path;
    // A heading on its own, as the title of its page.
    if (path === undefined) return;
    const from = relative(repositoryRoot, path).split(sep).join('/');
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open');
    for (const link of links) {
      const href = link.attrGet('href') ?? '';
      if (/^(?:[a-z][a-z0-9+.-]*:|[/#])/i.test(href)) continue;
      link.attrSet('href', linkOn(from, href, copied));
    }
  });
}

function linkOn(from: string, href: string, copied: Set<string>): string {
  const [path = '', fragment] = decodeURI(href).split('#');
  const file = posix.join(posix.dirname(from), path);
  if (PAGE_SET.has(file)) return `/${pagePath(file)}${fragment === undefined ? '' : `#${fragment}`}`;
  // The file types that the service can serve.
  if (!isFile(file) || !/\.(?:json|yaml)$/.test(file))
    throw new Error(`${from}: ${href} leads to no page and no file`);
  copied.add(file);
  return `/files/${file}`;
}

/** What a page is rendered from; the search index knows only the path. */
interface Rendered {
  readonly path?: string;
  readonly realPath?: string;
}

interface Token {
  readonly type: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** The fragment of a heading as code hosts make it, which the documents link to. */
export function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
