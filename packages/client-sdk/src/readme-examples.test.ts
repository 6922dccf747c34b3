import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compileProject } from './test/compile-project.js';
import { installPackedClient } from './test/install-packed-client.js';

describe('the README of the package', { timeout: 120_000 }, () => {
  it('has examples that compile against the packed client as they stand', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const blocks = [...readme.matchAll(/```tsx?\n\/\/ (\S+)\n([\s\S]*?)```/g)];
    const examples = Object.fromEntries(blocks.map(([, name = '', text = '']) => [name, text]));
    expect(Object.keys(examples)).toEqual(['browser.ts', 'members.tsx', 'node.ts', 'social.ts']);
    await using packed = await installPackedClient();
    await Promise.all(['react', '@types/react', '@tanstack/react-query'].map((name) => packed.link(name)));
    const { errors } = await compileProject(packed.folder, 'examples', examples, '7');
    expect(errors).toEqual([]);
  });
});
