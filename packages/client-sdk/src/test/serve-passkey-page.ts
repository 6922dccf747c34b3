import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const source = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** A front end at localhost whose scripts are the client and its passkeys. */
export interface PasskeyPage extends AsyncDisposable {
  readonly url: string;
}

/** Serves a page with `createMainClient`, `localStore` and everything of the entry `/passkeys` as globals. */
export async function servePasskeyPage(): Promise<PasskeyPage> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-passkeys-'));
  await writeFile(join(folder, 'index.html'), HTML);
  await writeFile(
    join(folder, 'page.ts'),
    `import { createMainClient, localStore } from '${source('main.ts')}';
     import * as passkeys from '${source('passkeys.ts')}';
     Object.assign(window, { createMainClient, localStore, passkeys });`,
  );
  const outDir = join(folder, 'bundled');
  await build({ root: folder, configFile: false, logLevel: 'error', build: { outDir } });
  const [name = ''] = await readdir(join(outDir, 'assets'));
  const script = await readFile(join(outDir, 'assets', name));
  const html = await readFile(join(outDir, 'index.html'));
  await rm(folder, { recursive: true });
  const server = createServer(({ url = '/' }, response) => {
    const isScript = url.startsWith('/assets/');
    response
      .writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' })
      .end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** How large the entry `/passkeys` is in a bundle that has the client already. */
export async function gzippedPasskeys(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-passkeys-'));
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      minify: true,
      lib: { entry: source('passkeys.ts'), formats: ['es'], fileName: 'passkeys' },
      rolldownOptions: { external: [/^@trpc\//] },
    },
  });
  const [name = ''] = (await readdir(folder)).filter((file) => file.startsWith('passkeys'));
  const bytes = gzipSync(await readFile(join(folder, name))).length;
  await rm(folder, { recursive: true });
  return bytes;
}

const HTML = `<!doctype html><title>Passkeys</title>
<input id="name" autocomplete="username webauthn">
<script type="module" src="/page.ts"></script>`;
