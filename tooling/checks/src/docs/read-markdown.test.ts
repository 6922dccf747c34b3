import { describe, expect, it } from 'vitest';
import { readMarkdown } from './read-markdown.js';

describe('reading Markdown', () => {
  it('tells spans, fences, links and prose apart, with their lines', () => {
    const text = [
      '# Title',
      'See `a.ts` and [b](b.md "B").',
      '```sh',
      'pnpm test',
      '```',
      '[c]: c.md',
      'Plain.',
    ].join('\n');
    expect(readMarkdown(text)).toEqual({
      spans: [{ line: 2, text: 'a.ts' }],
      fenced: [{ line: 4, text: 'pnpm test' }],
      links: [
        { line: 2, text: 'b.md' },
        { line: 6, text: 'c.md' },
      ],
      prose: [
        { line: 1, text: '# Title' },
        { line: 2, text: 'See `    ` and [b](b.md "B").' },
        { line: 6, text: '[c]: c.md' },
        { line: 7, text: 'Plain.' },
      ],
      anchors: new Set(['title']),
    });
  });

  it('keeps a longer fence open across a shorter one', () => {
    expect(readMarkdown(['````', '```', 'inside', '````', 'after'].join('\n')).prose).toEqual([
      { line: 5, text: 'after' },
    ]);
  });

  it('makes anchors as code hosts do, and numbers repeated ones', () => {
    const { anchors } = readMarkdown(
      ['## What it costs', '## `pnpm test`, twice', '## What it costs'].join('\n'),
    );
    expect([...anchors]).toEqual(['what-it-costs', 'pnpm-test-twice', 'what-it-costs-1']);
  });
});
