import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { PackedClient } from './install-packed-client.js';

/** A front end with one script, at every path. */
export interface BundledPage extends AsyncDisposable {
  readonly url: string;
  /** Its whole script, as a browser loads it. */
  readonly gzippedBytes: number;
}

/** Bundles a script with Vite for production, using the packed client, and serves it. */
export async function serveBundledPage(
  packed: PackedClient,
  { script, port }: { script: string; port: number },
): Promise<BundledPage> {
  await packed.write(
    'index.html',
    '<!doctype html><title>Front end</title><script type="module" src="/page.js"></script>',
  );
  await packed.write('page.js', script);
  const outDir = join(packed.folder, 'bundled');
  await build({ root: packed.folder, configFile: false, logLevel: 'error', build: { outDir } });
  const assets = join(outDir, 'assets');
  const scripts = new Map<string, Buffer>();
  for (const name of await readdir(assets))
    scripts.set(`/assets/${name}`, await readFile(join(assets, name)));
  const html = await readFile(join(outDir, 'index.html'));

  const server = createServer(({ url = '/' }, response) => {
    const found = scripts.get(url);
    response.writeHead(200, { 'Content-Type': found ? 'text/javascript' : 'text/html' }).end(found ?? html);
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    gzippedBytes: [...scripts.values()].reduce((sum, text) => sum + gzipSync(text).length, 0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
