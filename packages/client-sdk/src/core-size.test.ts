import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printMeasurements } from '@gatehouse/testkit';
import { build } from 'vite';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const source = (name: string) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));

/** No page preloads what they import later. */
const SERVERS_ONLY: ReadonlySet<string> = new Set(['verify']);

/** The size of an entry in a page's bundle, compressed. */
async function gzippedBytes(name: string, external: (string | RegExp)[] = [], ssr = false): Promise<number> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    // An entry of a page: as a library, Vite would keep the blanks.
    build: {
      write: false,
      ssr,
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: source(name), external, preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const code = outputs.map((each) => (each.type === 'chunk' ? each.code : '')).join('');
  expect(code.length).toBeGreaterThan(1000);
  return gzipSync(code).length;
}

it('the client has a core of less than 12 kB, compressed, with everything it depends on', async () => {
  const bytes = await gzippedBytes('main');
  printMeasurements('the core of the client', { gzippedBytes: bytes });
  expect(bytes).toBeLessThan(12_000);
});

it.each(['events', 'passkeys', 'react', 'server', 'verify', 'view'])(
  'the client has less than 3 kB more in %s',
  async (name) => {
    // The core and React, which the page already has.
    const core = [
      /src\/(main|admin|client|errors|page-window|per-call|token-life)\.js$/,
      /\.\/(main|admin|client|errors|page-window|per-call|token-life)\.js$/,
    ];
    const bytes = await gzippedBytes(name, ['react', 'jose', /^@trpc\//, ...core], SERVERS_ONLY.has(name));
    printMeasurements(`the entry ${name}`, { gzippedBytes: bytes });
    expect(bytes).toBeLessThan(3000);
  },
);
