import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { asciiOnly } from './ascii-only.js';

it('the bundler writes ASCII with the same meaning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ascii-'));
  const source = `
    const größe = 3;
    export const told = ['“a”', \`\${größe} €, 𝄞\`, /^[＠𝄞]$/u.test('𝄞'), /[＠]/.test('＠'), { ä: 1 }, 'a\\0\\x7f'];
  `;
  await writeFile(join(folder, 'source.js'), source);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const bundle = await rolldown({ input: join(folder, 'source.js'), plugins: [asciiOnly()] });
  await bundle.write({ dir: join(folder, 'dist'), format: 'esm', comments: false });
  await bundle.close();
  const written = join(folder, 'dist/source.js');
  expect(await readFile(written)).toSatisfy((bytes: Buffer) => bytes.every((byte) => byte < 0x80));
  const module: unknown = await import(pathToFileURL(written).href);
  expect(module).toHaveProperty('told', ['“a”', '3 €, 𝄞', true, true, { ä: 1 }, 'a\0\x7f']);
  await rm(folder, { recursive: true });
});
