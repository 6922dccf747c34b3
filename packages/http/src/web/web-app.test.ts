import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { AppError } from '@gatehouse/auth-core';
import { createTestFolder, developmentEnvironment, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createWebApp, isBelow } from './web-app.js';
import { ownWebFile, type WebFile } from './web-files.js';

const dialect = inject('dialect');

const FILES: Readonly<Record<string, string>> = {
  'home.html': '<!doctype html><head><title>Home</title></head>',
  'sign-in.html': '<!doctype html><head><title>Sign in</title></head>',
  'mark.svg': '<svg></svg>',
  'assets/app-0a1b.js': 'export const app = "<head>".repeat(1000);',
};

/** A build with every file also compressed, behind a server of its own. */
async function serveBuild(
  folder: string,
  own: ReadonlyMap<string, WebFile> = new Map(),
  data: Readonly<Record<string, unknown>> = {},
) {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(join(folder, 'secret.key'), 'not for browsers');
  const app = createWebApp({
    baseUrl: 'http://127.0.0.1:4000',
    prefix: '/portal',
    folder: pathToFileURL(`${folder}/`),
    own,
    data,
  });
  const server = createServer((request, response) => {
    try {
      app.answer(request, response);
    } catch (error) {
      response.statusCode = error instanceof AppError ? error.status : 500;
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One request without the decoding that `fetch` does. */
async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const { request } = await import('node:http');
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(url, { method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    },
  );
}

describe('a build of pages', () => {
  it("has a document for each screen, and the app's document for paths without a file", async () => {
    await using folder = await createTestFolder();
    await using served = await serveBuild(folder.path);
    const titleOf = async (path: string) => {
      const { status, body } = await ask(`${served.url}${path}`);
      return [status, /<title>(.*)<\/title>/.exec(body.toString())?.[1]];
    };
    expect(await titleOf('/portal/sign-in')).toEqual([200, 'Sign in']);
    expect(await titleOf('/Portal/Sign-In?next=/portal/you')).toEqual([200, 'Sign in']);
    for (const path of ['/portal', '/portal/', '/portal/a/1/team', '/portal/you'])
      expect([path, ...(await titleOf(path))]).toEqual([path, 200, 'Home']);
    for (const path of [
      '/portal/none.js',
      '/portal/assets/gone-9z.css',
      '/portal/secret.key',
      '/portal/sign-in.html.br',
      '/portal/..%2f..%2fpackage.json',
    ])
      expect([path, (await ask(`${served.url}${path}`)).status]).toEqual([path, 404]);
    expect((await ask(`${served.url}/portal/sign-in`, {}, 'POST')).status).toBe(405);
    expect((await ask(`${served.url}/portal/sign-in`, {}, 'HEAD')).body.length).toBe(0);
  });

  it('is sent in the smallest form that the browser accepts, if it has another form', async () => {
    await using folder = await createTestFolder();
    await using served = await serveBuild(folder.path);
    const url = `${served.url}/portal/sign-in`;
    const text = FILES['sign-in.html'];
    const small = await ask(url, { 'accept-encoding': 'gzip, deflate, br' });
    expect([small.headers['content-encoding'], brotliDecompressSync(small.body).toString()]).toEqual([
      'br',
      text,
    ]);
    const older = await ask(url, { 'accept-encoding': 'gzip, br;q=0' });
    expect([older.headers['content-encoding'], gunzipSync(older.body).toString()]).toEqual(['gzip', text]);
    const plain = await ask(url);
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, text]);
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
    expect(new Set([small, older, plain].map(({ headers }) => headers['etag'])).size).toBe(3);
    const again = await ask(url, { 'if-none-match': `"x", W/${String(plain.headers['etag'])}` });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const asset = await ask(`${served.url}/portal/assets/app-0a1b.js`);
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
  });

  it('allows its documents only their own files, and no markup or code made from text', async () => {
    await using folder = await createTestFolder();
    await using served = await serveBuild(folder.path);
    const { headers } = await ask(`${served.url}/portal/sign-in`);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('serves files of the configuration in place of its own', async () => {
    await using folder = await createTestFolder();
    const own = new Map([
      ['mark.svg', ownWebFile('logo.png', Buffer.from('an image'))],
      ['brand.css', ownWebFile('brand.css', Buffer.from(''))],
    ]);
    await using served = await serveBuild(folder.path, own);
    const mark = await ask(`${served.url}/portal/mark.svg`);
    expect([mark.body.toString(), mark.headers['content-type']]).toEqual(['an image', 'image/png']);
    const css = await ask(`${served.url}/portal/brand.css`);
    expect([css.status, css.body.length]).toEqual([200, 0]);
    expect(css.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^".+"$/),
    });
    const again = await ask(`${served.url}/portal/brand.css`, {
      'if-none-match': String(css.headers['etag']),
    });
    expect(again.status).toBe(304);
    expect(() => ownWebFile('key.pem', Buffer.from(''))).toThrow('not served');
  });

  it('has documents with data, which is text whatever it contains', async () => {
    await using folder = await createTestFolder();
    const data = { settings: { name: '</script><script>alert(1)</script> $& <!--' } };
    await using served = await serveBuild(folder.path, new Map(), data);
    const plain = await ask(`${served.url}/portal/sign-in`);
    const text = plain.body.toString();
    expect(text.match(/<script|<\/script/g)).toHaveLength(2);
    expect(text.indexOf('</head>')).toBeGreaterThan(text.indexOf('</script>'));
    const [, block = ''] = /<script type="application\/json" id="settings">(.*)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(block)).toEqual(data.settings);
    const small = await ask(`${served.url}/portal/sign-in`, { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(small.body).toString()).toBe(text);
    const older = await ask(`${served.url}/portal/sign-in`, { 'accept-encoding': 'gzip' });
    expect(gunzipSync(older.body).toString()).toBe(text);
    const asset = await ask(`${served.url}/portal/assets/app-0a1b.js`);
    expect(asset.body.toString()).toBe(FILES['assets/app-0a1b.js']);
  });

  it('redirects only documents requested at another host to the public address', async () => {
    await using folder = await createTestFolder();
    await using build = await serveBuild(folder.path);
    const at = async (path: string, host: string) =>
      (await ask(`${build.url}/portal/${path}`, { host })).body.toString();
    const moving = '<head><script src="/docs/move-to-host.js" data-origin="http://127.0.0.1:4000"></script>';
    for (const host of ['other.example', 'localhost:4000', '[::1]:9', '127.0.0.10']) {
      expect(await at('sign-in', host)).toBe(FILES['sign-in.html']?.replace('<head>', moving));
      for (const file of ['mark.svg', 'assets/app-0a1b.js']) expect(await at(file, host)).toBe(FILES[file]);
    }
    // Cookies ignore ports, and no browser sends what is not a host.
    for (const host of ['127.0.0.1:9', '127.1', 'a b', ''])
      expect([host, await at('sign-in', host)]).toEqual([host, FILES['sign-in.html']]);
  });

  it('says that it is missing when there is none', async () => {
    await using folder = await createTestFolder();
    const app = createWebApp({
      baseUrl: 'http://127.0.0.1:4000',
      prefix: '/portal',
      folder: pathToFileURL(join(folder.path, 'none/')),
    });
    expect(app.isBuilt).toBe(false);
    const server = createServer((request, response) => app.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { status, body } = await ask(`http://127.0.0.1:${port}/portal/sign-in`);
    server.close();
    expect([status, body.toString()]).toEqual([404, expect.stringContaining('pnpm build')]);
  });

  it('is served only below its prefix', () => {
    for (const url of ['/portal', '/portal/', '/PORTAL/x', '/portal?x'])
      expect([url, isBelow('/portal', url)]).toEqual([url, true]);
    for (const url of ['/', '/portals', '/portal.css', '/a/portal'])
      expect([url, isBelow('/portal', url)]).toEqual([url, false]);
  });
});

describe('the main service', () => {
  it('serves no portal when it is switched off', async () => {
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: { ...developmentEnvironment(), PORTAL: 'off' },
    });
    for (const path of ['/portal', '/portal/sign-in']) {
      const response = await service.send(path);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        404,
        { error: { code: 'not_found' } },
      ]);
    }
    const landing = await service.send('/', { headers: { accept: 'text/html' } });
    expect(await landing.text()).not.toContain('/portal');
  });
});

describe('the admin service', () => {
  it('serves no console when it is switched off', async () => {
    await using service = await startService(createAdminApp, {
      dialect,
      application: 'admin',
      env: { ...developmentEnvironment(), CONSOLE: 'off' },
    });
    for (const path of ['/console', '/console/members']) {
      const response = await service.send(path);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        404,
        { error: { code: 'not_found' } },
      ]);
    }
    const landing = await service.send('/', { headers: { accept: 'text/html' } });
    expect(await landing.text()).not.toContain('/console');
  });
});
