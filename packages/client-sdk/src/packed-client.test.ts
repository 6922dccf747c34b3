// @module-tag slow

import { execFile, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { router as adminRouter } from '@gatehouse/api-admin/router';
import { createApp } from '@gatehouse/api-main/app';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { blockOf, findFreePort, startService } from '@gatehouse/testkit';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILERS, type Compiler, compileProject } from './test/compile-project.js';
import { installPackedClient, type PackedClient } from './test/install-packed-client.js';
import { openEditor } from './test/open-editor.js';
import { EXAMPLES } from './test/readme-examples.js';

const run = promisify(execFile);

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const compilers = Object.keys(COMPILERS) as Compiler[];

/** Limits of type instantiations for a consumer of both services and the passkeys, the compiler's libraries included. */
const MAX_INSTANTIATIONS = { '5.9': 42_000, '6': 65_000, '7': 72_000 } satisfies Record<Compiler, number>;

async function consumer<Name extends string>(...names: Name[]): Promise<Record<Name, string>> {
  const source = (name: string) => readFile(new URL(`./test/${name}`, import.meta.url), 'utf8');
  const files = await Promise.all(names.map(async (name) => [name, await source(name)] as const));
  return Object.fromEntries(files) as Record<Name, string>;
}

/** The compiler options for the examples of each folder. Projects of frameworks resolve as their bundlers do. */
const BUNDLED = { module: 'ESNext', moduleResolution: 'bundler', skipLibCheck: true, declaration: false };
const REACT = ['react', '@types/react'];
const PROJECTS = {
  '': { modules: ['@tanstack/react-query'], options: {} },
  'nextjs/': { modules: ['next', '@types/node'], options: { ...BUNDLED, types: ['node'] } },
  'reactrouter/': {
    modules: ['react-router', '@types/node'],
    options: { ...BUNDLED, types: ['node'] },
  },
  'sveltekit/': { modules: ['@sveltejs/kit'], options: BUNDLED },
  'express/': { modules: ['@types/express', '@types/node'], options: { ...BUNDLED, types: ['node'] } },
  'own-api/': { modules: ['@types/express', '@types/node'], options: { ...BUNDLED, types: ['node'] } },
  'vue/': { modules: ['vue'], options: { ...BUNDLED, types: [] } },
};

/** A program that prints the names it could import. */
function tryToImport(names: readonly string[]): string {
  const tries = names.map(
    (name) => `await import('${name}').then(() => process.stdout.write('${name} '), () => {});`,
  );
  return tries.join('\n');
}

describe('the packed client', { timeout: 120_000 }, () => {
  let packed: PackedClient;
  beforeAll(async () => {
    packed = await installPackedClient();
  });
  afterAll(() => packed[Symbol.asyncDispose]());

  let react: Promise<unknown> | undefined;
  /** Where the hooks of the installed client find it. */
  const installReact = () => (react ??= Promise.all(REACT.map((name) => packed.link('', name))));

  it('depends only on @trpc and jose, and on nothing of the workspace', async () => {
    expect(Object.keys(packed.manifest.dependencies ?? {})).toEqual(['@trpc/client', '@trpc/server', 'jose']);
    expect((await readdir(join(packed.folder, 'node_modules'))).sort()).toEqual([
      '@gatehouse',
      '@trpc',
      'jose',
    ]);
    const ours = ['zod', 'express', 'drizzle-orm', '@gatehouse/api-main/router', '@gatehouse/features'];
    const names = [...ours, '@trpc/client', '@gatehouse/client-sdk/admin'];
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', tryToImport(names)], {
      cwd: packed.client,
      env: {},
    });
    expect(stdout).toBe('@trpc/client @gatehouse/client-sdk/admin ');
  });

  it('has types that name no part of the service', async () => {
    const files = (await readdir(join(packed.client, 'dist'))).filter((name) => name.endsWith('.d.ts'));
    expect(files.sort()).toEqual([
      'admin.d.ts',
      'events.d.ts',
      'main.d.ts',
      'passkeys.d.ts',
      'react.d.ts',
      'server.d.ts',
      'shared.d.ts',
      'shared2.d.ts',
      'verify.d.ts',
      'view.d.ts',
    ]);
    for (const file of files) {
      const text = await readFile(join(packed.client, 'dist', file), 'utf8');
      expect(text).not.toMatch(/drizzle|express|mysql|libsql|@gatehouse\//i);
      expect(text).not.toMatch(/: any\b|<any\b/);
      for (const [, name] of text.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g))
        expect(name).toMatch(
          /^(@trpc\/(client|server)(\/rpc)?|\.\/(shared2?|main|admin|events|view)\.js|react)$/,
        );
    }
  });

  it.each(compilers)(
    'has types that TypeScript %s accepts, and by which it refuses wrong calls',
    async (version) => {
      const calls = await consumer('correct-calls.ts', 'wrong-calls.ts');
      const { errors, instantiations } = await compileProject(packed.folder, 'calls', calls, version);
      expect(errors).toEqual([]);
      expect(instantiations).toBeLessThan(MAX_INSTANTIATIONS[version]);
    },
  );

  it.each(compilers)(
    'has hooks that TypeScript %s accepts, and whose wrong uses it refuses',
    async (version) => {
      await installReact();
      const hooks = await consumer('correct-hooks.ts', 'wrong-hooks.ts');
      const options = { skipLibCheck: true };
      const { errors, instantiations } = await compileProject(
        packed.folder,
        'hooks',
        hooks,
        version,
        options,
      );
      expect(errors).toEqual([]);
      expect(instantiations).toBeLessThan(MAX_INSTANTIATIONS[version]);
    },
  );

  it('has types that refuse each wrong call on its own', async () => {
    await installReact();
    for (const name of ['wrong-calls.ts', 'wrong-hooks.ts'] as const) {
      const marked = (await consumer(name))[name];
      const unmarked = { 'calls.ts': marked.replaceAll('@ts-expect-error', '') };
      const options = { skipLibCheck: true };
      const { errors } = await compileProject(packed.folder, 'refused', unmarked, '7', options);
      const lines = new Set(errors.map((line) => /calls\.ts\((\d+),/.exec(line)?.[1]));
      expect([name, lines.size]).toEqual([name, marked.match(/@ts-expect-error/g)?.length]);
    }
  });

  it.each([
    ['createMainClient', '@gatehouse/client-sdk', 'MainClient', mainRouter],
    ['createAdminClient', '@gatehouse/client-sdk/admin', 'AdminClient', adminRouter],
  ] as const)(
    'documents for every procedure of %s what it does and who may call it',
    async (create, entry, type, router) => {
      const names = Object.keys(router._def.procedures);
      const source = [
        `import { ${create} } from '${entry}';`,
        `const gatehouse = ${create}({ url: '' });`,
        ...names.map((name) => `void gatehouse.api.${name};`),
      ].join('\n');
      await packed.write('hovers.ts', source);
      const hover = openEditor(join(packed.folder, 'hovers.ts'), source);
      expect(hover('gatehouse =').text).toBe(`const gatehouse: ${type}`);
      const silent = names.filter(
        (name) =>
          !/^[A-Z].+\.\n\nOpen to .+\.$/.test(hover(`${name.split('.').at(-1)};`, `api.${name};`).says),
      );
      expect(names.length).toBeGreaterThan(30);
      expect(silent).toEqual([]);
    },
  );

  it('says what things are in few words', async () => {
    await installReact();
    const source = await readFile(new URL('./test/hovers.ts', import.meta.url), 'utf8');
    await packed.write('ten-hovers.ts', source);
    const hover = openEditor(join(packed.folder, 'ten-hovers.ts'), source);
    const names = [...source.matchAll(/\/\* (\d+) \*\/ ?/g)].map(([mark]) => mark);
    const texts = names.map((mark) => {
      const rest = source.slice(source.indexOf(mark) + mark.length);
      return hover(/^\w+/.exec(rest)?.[0] ?? '', mark + (/^\w+/.exec(rest)?.[0] ?? '')).text;
    });
    expect(texts).toHaveLength(10);
    expect(texts.join('\n')).toMatchInlineSnapshot(`
      "const gatehouse: MainClient
      const staff: AdminClient
      const server: ServerClient
      const api: MainApi
      const signedIn: SignedInSession
      (method) RequestClient<MainApi>.continueSignIn(proof: StepProof, options?: {
          signal?: AbortSignal;
      }): Promise<SignedInSession>
      (local var) error: SecondFactorRequired
      (local var) error: GatehouseError<"rate_limited">
      const client: MainClient
      const me: Me | undefined"
    `);
    for (const text of texts) expect(text.length).toBeLessThan(200);
  });

  it('passes publint and "are the types wrong" for ESM and CommonJS', async () => {
    const { messages } = await publint({ pkgDir: packed.client, pack: false, strict: true });
    expect(messages).toEqual([]);
    const result = await checkPackage(createPackageFromTarballData(packed.tarball));
    if (!result.types) throw new Error('The package has no types');
    // Node 10 reads no `exports`.
    const problems = result.problems.filter(
      (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    );
    expect(problems).toEqual([]);
  });

  it('compiles and runs the examples of its README unchanged', async () => {
    await installReact();
    const found: string[] = [];
    for (const [folder, { modules, options }] of Object.entries(PROJECTS)) {
      const own = Object.entries(EXAMPLES)
        .filter(([name]) => name.includes('/') === (folder !== '') && name.startsWith(folder))
        .map(([name, text]) => [name.slice(folder.length), text] as const);
      const project = `examples-${folder || '/'}`.replaceAll('/', '');
      for (const name of modules) await packed.link(project, name);
      const { errors } = await compileProject(packed.folder, project, Object.fromEntries(own), '7', options);
      found.push(...errors);
    }
    expect(found).toEqual([]);
  });

  it('is packed by the command of its README and of the examples', async () => {
    const commands = new Set([
      blockOf('packages/client-sdk/README.md', 'npx --yes pnpm@10 -s pack:client'),
      blockOf('examples/nextjs/README.md', 'pack:client'),
      blockOf('examples/own-api/README.md', 'pack:client'),
      blockOf('examples/react-vite/README.md', 'pack:client'),
    ]);
    expect([...commands]).toEqual(['npx --yes pnpm@10 -s pack:client\n']);
    const text = await readFile(join(REPOSITORY, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(text) as { scripts: Readonly<Record<string, string>> };
    // The client is built already.
    const script = scripts['pack:client']?.replace(/^turbo .+? && /, '') ?? '';
    const within = `PATH="$PWD/node_modules/.bin:$PATH"; ${script}`;
    const { stdout } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', within], {
      cwd: REPOSITORY,
    });
    const [, tarball = ''] = /^npm install (\S+\.tgz)\n$/.exec(stdout) ?? [];
    expect((await run('tar', ['-tzf', tarball])).stdout).toContain('package/dist/main.js');
    await rm(tarball);
  });

  it('signs in, lists and signs out in Node', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const example = EXAMPLES['node.ts'];
    await packed.write('node.js', example.replaceAll('http://127.0.0.1:4000', service.url));
    const { stdout } = await run(process.execPath, ['node.js'], { cwd: packed.folder });
    expect(stdout).toBe('7 2\nYou have no access to this account.\n');
  });

  it('receives events as the guide says', async () => {
    await packed.write('receiver.js', blockOf('docs/events.md', 'js receiver'));
    const [secret, other] = [randomBytes(32), randomBytes(32)];
    const port = await findFreePort();
    const env = { PORT: String(port), SECRET: `whsec_${secret.toString('base64')}` };
    const receiver = spawn(process.execPath, ['receiver.js'], { cwd: packed.folder, env });
    const deliver = async (key: Buffer): Promise<number> => {
      const body = JSON.stringify({ id: 'evt_1', type: 'endpoint.ping', data: {} });
      const at = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64');
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': at,
        'webhook-signature': `v1,${signature}`,
      };
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
    };
    try {
      await expect.poll(() => deliver(secret).catch(() => 0), { timeout: 20_000 }).toBe(204);
      expect(await deliver(other)).toBe(400);
    } finally {
      receiver.kill();
    }
  });
});
