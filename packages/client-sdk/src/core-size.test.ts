import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printMeasurements } from '@gatehouse/testkit';
import { build } from 'vite';
import { expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('./main.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));

it('has a core of less than 12 kB, compressed, with everything it depends on', async () => {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    // An entry of a page: as a library, Vite would keep the blanks.
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const code = outputs.map((each) => (each.type === 'chunk' ? each.code : '')).join('');
  expect(code).toContain('session.refresh');
  const gzippedBytes = gzipSync(code).length;
  printMeasurements('the core of the client', { gzippedBytes });
  expect(gzippedBytes).toBeLessThan(12_000);
});
