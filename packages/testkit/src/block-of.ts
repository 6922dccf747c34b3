import { readFileSync } from 'node:fs';

/** The one block of code of a document that contains a text, without its indentation. */
export function blockOf(document: string, text: string): string {
  const guide = readFileSync(new URL(`../../../${document}`, import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(/^( *)```\S*.*\n([\s\S]*?)^ *```$/gm)]
    .map(([, indentation = '', body = '']) => body.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''))
    .filter((body) => body.includes(text));
  const [block] = blocks;
  if (block === undefined || blocks.length > 1)
    throw new Error(`${document} has ${blocks.length} blocks with ${text}`);
  return block;
}
