// @module-tag slow

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VERSION } from '@gatehouse/auth-core';
import { createTestFolder, findFreePort, testEnvironment } from '@gatehouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const deploy = (name: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${name}`, import.meta.url));

/** The image's commands: the entry point and default arguments as lists, the health check as shell text. */
async function commandsOfImage() {
  const text = await readFile(deploy('Dockerfile'), 'utf8');
  const find = (instruction: RegExp): string => instruction.exec(text)?.[1] ?? '';
  const words = (list: string) => z.array(z.string()).min(1).parse(JSON.parse(list));
  return {
    entry: words(find(/^ENTRYPOINT (.+)$/m)),
    start: words(find(/^CMD (.+)$/m)),
    probe: z
      .string()
      .min(1)
      .parse(find(/^HEALTHCHECK .*CMD (.+)$/m)),
  };
}

/** @throws {Error} if the service ends instead */
async function readyzAnswer(port: number, service: ChildProcess): Promise<number> {
  for (;;) {
    if (service.exitCode !== null) throw new Error(`It ended with ${service.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response) return response.status;
    await pause(25);
  }
}

/** The packages that the manifests of ours name, as folders of `node_modules`. */
const IMPORTED = [
  '@modelcontextprotocol/sdk',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  '@paddle/paddle-node-sdk',
  '@simplewebauthn/server',
  '@trpc/server',
  '@zxcvbn-ts/language-common',
  'bcrypt',
  'cors',
  'crypto-js',
  'drizzle-orm',
  'express',
  'hash-wasm',
  'ioredis',
  'ipaddr.js',
  'jose',
  'jsonwebtoken',
  'libsql',
  'lru-cache',
  'mysql2',
  'nodemailer',
  'oidc-provider',
  'passport',
  'passport-facebook',
  'passport-github2',
  'passport-google-oauth20',
  'passport-linkedin-oauth2',
  'passport-oauth2',
  'passport-twitter-oauth2',
  'pino',
  'prom-client',
  'rate-limiter-flexible',
  'resend',
  'stripe',
  'swagger-ui-dist',
  'tldts',
  'tr46',
  'uqr',
  'yaml',
  'zod',
];

const MAX_BYTES = 80_000_000;

const sbomShape = z.object({ components: z.array(z.object({ purl: z.string() })) });

/** Names of the packages in a folder of packages, those with a scope as `@scope/name`. */
async function packagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.map(async (name) =>
    name.startsWith('@')
      ? (await readdir(join(folder, name))).map((own) => `${name}/${own}`)
      : [name].filter((own) => !own.startsWith('.')),
  );
  return (await Promise.all(found)).flat();
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sizeOf(path) : (await lstat(path)).size;
  });
  return (await Promise.all(sizes)).reduce((all, size) => all + size, 0);
}

describe('the production build', { timeout: 180_000 }, () => {
  let kept: Awaited<ReturnType<typeof createTestFolder>>;
  let folder: string;
  let release: string;
  let tree: string;

  beforeAll(async () => {
    kept = await createTestFolder();
    folder = kept.path;
    release = join(folder, 'release');
    await run(deploy('release'), [release], { maxBuffer: 10_000_000 });
    tree = join(folder, `gatehouse-${VERSION}`);
    const archive = `gatehouse-${VERSION}-${process.platform}-${process.arch}.tar.gz`;
    await run('tar', ['--extract', '--gzip', '--directory', folder, '--file', join(release, archive)]);
  }, 180_000);
  afterAll(() => kept[Symbol.asyncDispose]());

  it('is released with the client, the documents and their digests, each of this version', async () => {
    const names = (await readdir(release)).sort();
    const of = `gatehouse-${VERSION}`;
    expect(names).toEqual([
      'SHA256SUMS',
      `${of}-api-admin.openapi.json`,
      `${of}-api-admin.postman.json`,
      `${of}-api-main.openapi.json`,
      `${of}-api-main.postman.json`,
      `${of}-docs.tar.gz`,
      `${of}-kubernetes.tar.gz`,
      `${of}-${process.platform}-${process.arch}.tar.gz`,
      `${of}.asyncapi.json`,
      `${of}.cdx.json`,
      `gatehouse-client-sdk-${VERSION}.tgz`,
    ]);
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release });
    expect(stdout.trim().split('\n')).toEqual(names.slice(1).map((name) => `${name}: OK`));
    const text = async (name: string) => readFile(join(release, name), 'utf8');
    for (const service of ['api-main', 'api-admin'])
      expect(JSON.parse(await text(`${of}-${service}.openapi.json`))).toMatchObject({
        info: { version: VERSION },
      });
    const unpack = async (name: string, path: string) =>
      (await run('tar', ['--extract', '--gzip', '--to-stdout', '--file', join(release, name), path])).stdout;
    expect(
      JSON.parse(await unpack(`gatehouse-client-sdk-${VERSION}.tgz`, 'package/package.json')),
    ).toMatchObject({
      version: VERSION,
    });
    expect(await unpack(`${of}-kubernetes.tar.gz`, `${of}-kubernetes/kustomization.yaml`)).toContain(
      `newTag: "${VERSION}"`,
    );
    expect(await unpack(`${of}-docs.tar.gz`, `${of}-docs/CHANGELOG.md`)).toContain(`## ${VERSION}`);
  });

  it('contains only the packages that ours import and their dependencies, in 80 MB', async () => {
    const ours = ['apps/api-main', 'apps/api-admin', 'tooling/cli', 'tooling/simulator'];
    for (const name of await readdir(join(tree, 'packages'))) ours.push(`packages/${name}`);
    const linked = await Promise.all(ours.map((name) => packagesIn(join(tree, name, 'node_modules'))));
    const imported = new Set(linked.flat().filter((name) => !name.startsWith('@gatehouse/')));
    expect([...imported].sort()).toEqual(IMPORTED);

    const store = join(tree, 'node_modules/.pnpm');
    const held = await Promise.all(
      (await readdir(store)).map((name) => packagesIn(join(store, name, 'node_modules'))),
    );
    const development =
      /^(next|react|react-dom|typescript|vite|vitest|turbo|tsx|esbuild|drizzle-kit|@types\/.*)$/;
    expect(held.flat().filter((name) => development.test(name))).toEqual([]);
    expect(held.flat().filter((name) => name.startsWith('@libsql/linux-'))).toHaveLength(2);

    const sbom = sbomShape.parse(JSON.parse(await readFile(join(tree, 'sbom.cdx.json'), 'utf8')));
    const listed = new Set(
      sbom.components.map(({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length))),
    );
    const installed = (await readdir(store)).filter((name) => name !== 'node_modules');
    const unlisted = installed.filter((name) => !listed.has((name.split('_')[0] ?? '').replace('+', '/')));
    expect(unlisted).toEqual([]);

    expect(await sizeOf(tree)).toBeLessThan(MAX_BYTES);
    const paths = await readdir(tree, { recursive: true });
    expect(paths.filter((path) => /\.(ts|map|tsbuildinfo)$|\.env$|pnpm-lock/.test(path))).toEqual([]);
  });

  it('starts as the image starts it, with its secrets in files, on the Node that runs this test', async () => {
    const secrets = join(folder, 'secrets');
    await mkdir(secrets);
    const { JWT_SECRET_KEY, SESSION_SECRET, DATA_ENCRYPTION_KEY } = testEnvironment();
    const files = {
      JWT_SECRET_KEY,
      SESSION_SECRET,
      DATA_ENCRYPTION_KEY,
      DATABASE_URL: `file:${folder}/db`,
    };
    for (const [name, value] of Object.entries(files)) await writeFile(join(secrets, name), `${value}\n`);
    const port = await findFreePort();
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      CREDENTIALS_DIRECTORY: secrets,
      NODE_ENV: 'production',
      APP_URL: 'https://app.gatehouse.test',
      BASE_URL: 'https://api.gatehouse.test',
      PASSKEY_RP_ID: 'gatehouse.test',
      TRUSTED_PROXIES: '127.0.0.1',
      PORT: String(port),
      MAIL_OUTBOX_DIRECTORY: join(folder, 'outbox'),
      MAIL_OUTBOX_ONLY: 'true',
    };
    const { entry, start, probe } = await commandsOfImage();
    const inTree = { cwd: tree, env };
    const command = (words: readonly string[]) => [join(tree, ...entry), [...words]] as const;
    const gatehouse = (...words: string[]) =>
      run(...command(['node', 'tooling/cli/dist/main.js', ...words]), inTree);
    const isAlive = () => run('sh', ['-c', probe], inTree);

    expect((await gatehouse('--help')).stdout).toContain('create-personnel');
    expect((await gatehouse('--version')).stdout).toBe(`${VERSION}\n`);
    await gatehouse('migrate');
    expect((await gatehouse('doctor')).stdout).toContain('ok   database');
    for (const words of [start, ['node', 'apps/api-admin/dist/main.js']]) {
      const service = spawn(...command(words), { ...inTree, stdio: 'ignore' });
      try {
        expect([words, await readyzAnswer(port, service)]).toEqual([words, 200]);
        await isAlive();
        const page = words === start ? 'portal' : 'console';
        expect((await fetch(`http://127.0.0.1:${port}/${page}/`)).status).toBe(200);
      } finally {
        service.kill('SIGTERM');
      }
      expect(await once(service, 'exit')).toEqual([0, null]);
    }
    await expect(isAlive()).rejects.toThrow('Command failed');
  });
});

describe('the image', () => {
  it('is built from one base image, pinned by digest, and has labels that describe it', async () => {
    const text = await readFile(deploy('Dockerfile'), 'utf8');
    expect(text).toMatch(/^ARG NODE_IMAGE=node:24[\w.-]*@sha256:[0-9a-f]{64}$/m);
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases).toHaveLength(2);
    expect(bases.every((base) => base === '$' + '{NODE_IMAGE}')).toBe(true);
    const labels = [...text.matchAll(/org\.opencontainers\.image\.([a-z.]+)=/g)].map(([, label]) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['title', 'description', 'version', 'revision', 'created', 'base.name']),
    );
  });
});
