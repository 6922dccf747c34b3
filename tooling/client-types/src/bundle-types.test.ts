import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleTypes } from './bundle-types.js';

/** Bundles one entry with a file `inner.d.ts` next to it. */
async function bundle(entry: string, inner = ''): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-types-'));
  try {
    await writeFile(join(folder, 'inner.d.ts'), inner);
    await writeFile(join(folder, 'main.d.ts'), entry);
    return (await bundleTypes([join(folder, 'main.d.ts')])).get('main.d.ts');
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('bundled types', () => {
  it('contain what they need and nothing else', async () => {
    const text = await bundle(
      "import type { Used } from './inner.js';\nexport declare const used: Used;\n",
      'export interface Used { id: number }\nexport interface Unused { name: string }\n',
    );
    expect(text).toContain('interface Used');
    expect(text).not.toContain('Unused');
  });

  it('may import only tRPC and React', async () => {
    const importing = (name: string) => `import type { A } from '${name}';\nexport declare const a: A;\n`;
    expect(await bundle(importing('@trpc/server'))).toContain("from '@trpc/server'");
    expect(await bundle(importing('react'))).toContain("from 'react'");
    for (const name of ['drizzle-orm', 'react-dom', 'express', 'zod', '@trpc/react-query', 'node:http'])
      await expect(bundle(importing(name)), name).rejects.toThrow(`The types would import ${name}`);
    const inside = bundle("export * from './inner.js';\n", importing('drizzle-orm'));
    await expect(inside).rejects.toThrow('The types would import drizzle-orm');
  });
});
