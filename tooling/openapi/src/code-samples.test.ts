// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeOpenApi } from './test/rendered-openapi.js';

const run = promisify(execFile);
const here = fileURLToPath(new URL('./', import.meta.url));
const compiler = join(here, '../node_modules/@typescript/native/bin/tsc');
const documents = await wholeOpenApi();

const PREFACES = {
  main: ['createMainClient', '@gatehouse/client-sdk'],
  admin: ['createAdminClient', '@gatehouse/client-sdk/admin'],
} as const;

function samplesOf(name: 'main' | 'admin', label: string): string[] {
  return Object.values(documents[name].paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation['x-codeSamples'])
    .flatMap((sample) => (sample.label === label ? [sample.source] : []));
}

/** Every example of the typed client, each in a separate function. */
function program(name: 'main' | 'admin'): string {
  const [create, entry] = PREFACES[name];
  const examples = samplesOf(name, 'Client').map(
    (source, index) => `export async function example${index}() {\n${source}\nreturn answer;\n}`,
  );
  return [
    `import { ${create}, perCall } from '${entry}';`,
    `const gatehouse = ${create}({ url: 'https://auth.example.org' });`,
    'declare const bearerToken: string, partnerToken: string, authToken: string;',
    'void perCall;',
    ...examples,
  ].join('\n');
}

const SERVICES = ['main', 'admin'] as const;

describe('the examples of both services', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(here, 'samples-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are calls that the typed client accepts', { timeout: 120_000 }, async () => {
    const config = {
      extends: '../../../../tsconfig.json',
      // The installed client: its declarations are one file, while its sources lead to those of both services.
      compilerOptions: { noUnusedLocals: false, customConditions: [] },
      include: ['*.ts'],
      exclude: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const name of SERVICES) {
      await writeFile(join(folder, `${name}.ts`), program(name));
      expect(samplesOf(name, 'Client').length).toBeGreaterThan(30);
    }
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  });

  it.each(SERVICES)('are commands that a shell parses, at paths that are described: %s', async (name) => {
    const commands = samplesOf(name, 'curl');
    expect(commands.length).toBeGreaterThan(40);
    await run('bash', ['--norc', '-n', '-c', commands.join('\n')]);
    for (const command of commands)
      expect(command).toMatch(/^curl (-X (POST|PUT|PATCH|DELETE) )?'https:\/\/auth\.example\.org\/[^{}]*'/);
  });
});
