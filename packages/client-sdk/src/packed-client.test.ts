import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILERS, compileProject } from './test/compile-project.js';
import { installPackedClient, type PackedClient } from './test/install-packed-client.js';

const run = promisify(execFile);
const compilers = Object.keys(COMPILERS) as (keyof typeof COMPILERS)[];

/** What the types of both services may cost a consumer; a quarter above what they cost. */
const MOST_INSTANTIATIONS = 100_000;

const source = (name: string) => readFile(new URL(`./test/consumer/${name}`, import.meta.url), 'utf8');

/** A program that prints which of the names it could import. */
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

  it('brings @trpc and nothing else, and nothing of the workspace can be reached from it', async () => {
    expect(Object.keys(packed.manifest.dependencies ?? {})).toEqual(['@trpc/client', '@trpc/server']);
    expect((await readdir(join(packed.folder, 'node_modules'))).sort()).toEqual(['@gatehouse', '@trpc']);
    const names = ['zod', 'express', 'drizzle-orm', '@gatehouse/api-main/router', '@gatehouse/api-kit'];
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', tryToImport(names)], {
      cwd: packed.client,
      env: {},
    });
    expect(stdout).toBe('');
  });

  it('has types that name no part of the service', async () => {
    const files = (await readdir(join(packed.client, 'dist'))).filter((name) => name.endsWith('.d.ts'));
    expect(files.sort()).toEqual(['admin.d.ts', 'main.d.ts', 'shared.d.ts']);
    for (const file of files) {
      const text = await readFile(join(packed.client, 'dist', file), 'utf8');
      expect(text).not.toMatch(/drizzle|express|mysql|libsql|@gatehouse\//i);
      expect(text).not.toMatch(/: any\b|<any\b/);
      for (const [, name] of text.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g))
        expect(name).toMatch(/^(@trpc\/(client|server)(\/rpc)?|\.\/shared\.js)$/);
    }
  });

  it.each(compilers)('has types that TypeScript %s takes, and refuses wrong calls by', async (version) => {
    const empty = await compileProject(
      packed.folder,
      'empty',
      { 'empty.ts': 'export const nothing = 0;\n' },
      version,
    );
    const files = {
      'correct-calls.ts': await source('correct-calls.ts'),
      'wrong-calls.ts': await source('wrong-calls.ts'),
    };
    const { errors, instantiations } = await compileProject(packed.folder, 'calls', files, version);
    expect(errors).toEqual([]);
    expect(instantiations - empty.instantiations).toBeLessThan(MOST_INSTANTIATIONS);
    const unmarked = { 'calls.ts': files['wrong-calls.ts'].replaceAll('@ts-expect-error', '') };
    const refused = await compileProject(packed.folder, 'refused', unmarked, version);
    expect(new Set(refused.errors.map((line) => /\((\d+),/.exec(line)?.[1])).size).toBe(
      files['wrong-calls.ts'].match(/@ts-expect-error/g)?.length,
    );
  });

  it('is what publint and "are the types wrong" want of an ESM package', async () => {
    const { messages } = await publint({ pkgDir: packed.client, pack: false, strict: true });
    expect(messages).toEqual([]);
    const result = await checkPackage(createPackageFromTarballData(packed.tarball));
    if (!result.types) throw new Error('The package has no types');
    // `require` of CommonJS and the resolution of Node 10 are for packages that are not ESM alone.
    const ofOthers = new Set(['node10', 'node16-cjs']);
    const problems = result.problems.filter(
      (problem) => !('resolutionKind' in problem && ofOthers.has(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  it('signs in, lists and signs out in Node', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const example = /```ts\n(\/\/ node\.ts\n[\s\S]*?)```/.exec(readme)?.[1] ?? '';
    await packed.write('node.js', example.replaceAll('http://127.0.0.1:4000', service.url));
    const { stdout } = await run(process.execPath, ['node.js'], { cwd: packed.folder });
    expect(stdout).toBe('7 2\nYou have no access to this account.\n');
  });
});
