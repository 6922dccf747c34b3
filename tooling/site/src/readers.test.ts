import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGES, pagePath, READERS, repositoryRoot } from './readers.js';
import { separateScripts } from './separate-scripts.js';

/** The Markdown files that a page is made of; others are for those who work on the repository. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(?:docs\/|[A-Z]+\.md$|apps\/|examples\/|packages\/client-sdk\/)/.test(path));

describe('the sidebar of the documents', () => {
  it('has every document, once', () => {
    expect([...PAGES].sort()).toEqual(files.sort());
  });

  it('gives every document its own path, in lower case', () => {
    const paths = PAGES.map(pagePath);
    expect(new Set(paths).size).toBe(PAGES.length);
    expect(paths.filter((path) => path !== path.toLowerCase())).toEqual([]);
  });

  it('begins for each reader with three of the pages, at headings that exist', () => {
    for (const { name, first } of READERS) {
      expect([name, first.length]).toEqual([name, 3]);
      for (const [, target] of first) {
        const [file = '', fragment] = target.split('#');
        expect(PAGES).toContain(file);
        const headings = readFileSync(`${repositoryRoot}${file}`, 'utf8').match(/^## .+$/gm) ?? [];
        const fragments = headings.map((heading) => heading.slice(3).toLowerCase().replaceAll(' ', '-'));
        if (fragment !== undefined) expect(fragments).toContain(fragment);
      }
    }
  });
});

describe('a document whose inline scripts are files', () => {
  it('loads them from the site, and keeps the scripts that are files already', () => {
    const scripts = new Map<string, string>();
    const file = '<script type="module" src="/b.js"></script>';
    const html = `${file}<script id="a">first()</script>${file}`;
    const separated = separateScripts(html, '/dev/docs/', scripts);
    const [name] = [...scripts.keys()];
    expect(separated).toBe(`${file}<script id="a" src="/dev/docs/${name}"></script>${file}`);
    expect([...scripts.values()]).toEqual(['first()']);
  });
});
