// @module-tag slow

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { totpCode, totpStep } from '@gatehouse/auth-core';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import {
  blockOf,
  createReplacedDatabase,
  createTestDatabase,
  createTestFolder,
  developmentEnvironment,
  findFreePort,
  fromBase32,
  type RunningService,
  startService,
  type TestDialect,
  testEnvironment,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Command } from '../command.js';
import { move } from '../commands/move.js';
import { record } from '../commands/record.js';
import { shadow } from '../commands/shadow.js';
import { parseJson } from '../record/json.js';
import { clientSecrets, useAdminService, useMainService } from '../test/old-client.js';
import { readCommands } from '../test/read-commands.js';
import type { ReplacedServiceOptions } from '../test/replaced-handling.js';
import { REPLACED_PASSWORD, type ReplacedRows, replacedRows } from '../test/replaced-rows.js';
import { startReplacedService } from '../test/replaced-service.js';
import { DELIBERATE_DIFFERENCES } from './deliberate-differences.js';
import { KNOWN_PATHS, oldEndpointAt } from './old-endpoints.js';

const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

const APP_URL = 'http://127.0.0.1:4000';

/** The arguments of the command in a block of its document, with other values of some options. */
function argumentsIn(block: string, values: Readonly<Record<string, string>>): string[] {
  const [[, ...words] = []] = readCommands(block).commands;
  return words.map((word, at) => values[words[at - 1] ?? ''] ?? word);
}

async function run(command: Command, args: readonly string[], folder: string, say: (line: string) => void) {
  return command.run({ args, env: { INIT_CWD: folder }, say, draw: () => undefined });
}

/** Lets clients use an old system through the recording proxy; the key of the digests is in `key.txt` afterwards. */
async function recordUse(oldUrl: string, folder: string, use: (url: string) => Promise<void>): Promise<void> {
  const port = String(await findFreePort());
  const said: string[] = [];
  const args = argumentsIn(blockOf('docs/shadow.md', 'gatehouse record'), {
    '--listen': port,
    '--to': oldUrl,
  });
  const running = run(record, args, folder, (line) => void said.push(line));
  while (!said.some((line) => line.includes('until Ctrl-C'))) await Promise.race([pause(5), running]);
  await use(`http://127.0.0.1:${port}`);
  process.emit('SIGTERM');
  expect(await running).toBe(0);
  const [, key = ''] = /needs: (\S+)$/.exec(said[0] ?? '') ?? [];
  await writeFile(`${folder}/key.txt`, key);
}

const endpointLine = z.object({
  is: z.literal('endpoint'),
  endpoint: z.string(),
  deliberate: z.array(z.object({ row: z.string() })),
  differences: z.array(z.object({ place: z.string(), old: z.string(), new: z.string() })),
});

/** Compares copies of both systems by the recording. */
async function compareByRecording(oldUrl: string, newUrl: string, folder: string) {
  const said: string[] = [];
  const args = argumentsIn(blockOf('docs/shadow.md', 'gatehouse shadow'), {
    '--old': oldUrl,
    '--new': newUrl,
  });
  const code = await run(shadow, [...args, '--writes', '--json'], folder, (line) => void said.push(line));
  const endpoints = said.slice(0, -1).map((line) => endpointLine.parse(parseJson(line)));
  return {
    code,
    differences: endpoints.flatMap(({ endpoint, differences }) =>
      differences.map((each) => ({ endpoint, ...each })),
    ),
    rows: new Set(endpoints.flatMap(({ deliberate }) => deliberate.map(({ row }) => row))),
    endpoints: endpoints.map(({ endpoint }) => endpoint),
    end: parseJson(said.at(-1) ?? ''),
  };
}

/** The rows, moved into a database of ours by the command. */
async function moveRows(dialect: TestDialect, rows: ReplacedRows, folder: string) {
  await using old = await createReplacedDatabase();
  const tables: Readonly<Record<string, readonly object[]>> = { ...rows };
  for (const [table, each] of Object.entries(tables))
    await old.insert(
      table,
      each.map((row) => ({ ...row })),
    );
  const own = await createTestDatabase(dialect);
  const env = { ...testEnvironment(), NODE_ENV: 'development', DATABASE_URL: own.url, INIT_CWD: folder };
  const said: string[] = [];
  const context = { env, say: (line: string) => void said.push(line), draw: () => undefined };
  await move.run({ ...context, args: ['plan', '--from', old.url] });
  const code = await move.run({
    ...context,
    args: ['run', '--from', old.url, '--map', 'move-map.yaml', '--plain-passwords'],
  });
  expect([
    code,
    said.filter((line) => line.includes('with a problem') && !line.includes(' 0 with a problem')),
  ]).toEqual([0, []]);
  return own;
}

const CREATE = { main: createMain, admin: createAdmin };

const APPLICATIONS = { main: 'web', admin: 'admin' } as const;

/** Sets up an authenticator app. */
async function addSecondFactor(main: Pick<RunningService, 'send'>, email: string): Promise<void> {
  const call = async (path: string, body: object, token?: string) => {
    const answer = await main.send(path, { body, ...(token === undefined ? {} : { token }) });
    return z.looseObject({ status: z.literal(true) }).parse(await answer.json());
  };
  const { token } = z
    .object({ token: z.string() })
    .parse(await call('/webauthenticate', { email, password: REPLACED_PASSWORD }));
  await call('/v1/verification/prove', { password: REPLACED_PASSWORD }, token);
  const { data } = z
    .object({ data: z.object({ secret: z.string() }) })
    .parse(await call('/v1/totp/start', {}, token));
  await call('/v1/totp/confirm', { code: totpCode(fromBase32(data.secret), totpStep(Date.now())) }, token);
}

/** Where the simulated providers are called. */
async function providersOf(
  send: (path: string) => Promise<Response>,
): Promise<ReplacedServiceOptions['providers']> {
  const providers: Record<string, ReplacedServiceOptions['providers'][string]> = {};
  for (const key of ['google', 'github', 'facebook', 'linkedin', 'twitter', 'tiktok']) {
    const url = new URL((await send(`/social/${key}`)).headers.get('location') ?? '');
    const clientParameter = key === 'tiktok' ? 'client_key' : 'client_id';
    const clientId = url.searchParams.get(clientParameter) ?? '';
    providers[key] = { authorizeUrl: url.origin + url.pathname, clientParameter, clientId };
  }
  return providers;
}

/** Compares one service of both systems, each over its copy of the same people. */
async function compareService(dialect: TestDialect, deployment: 'main' | 'admin', rows: ReplacedRows) {
  await using folder = await createTestFolder();
  await using simulator = await startProviderSimulator();
  await using own = await moveRows(dialect, rows, folder.path);
  await using service = await startService(CREATE[deployment], {
    dialect,
    application: APPLICATIONS[deployment],
    database: own.database,
    env: {
      ...developmentEnvironment(APP_URL),
      ...providerEnvironment(simulator.url),
      PORTAL: 'off',
      CONSOLE: 'off',
    },
  });
  if (deployment === 'main') await addSecondFactor(service, 'birch@old.test');
  const options = {
    deployment,
    secret: service.services.config.JWT_SECRET_KEY,
    issuer: 'the-old-service',
    appUrl: APP_URL,
    providers: deployment === 'main' ? await providersOf((path) => service.send(path)) : {},
  };
  await using recorded = await startReplacedService(structuredClone(rows), options);
  await using copy = await startReplacedService(structuredClone(rows), options);
  const session = { userId: 3, role: 1, defaultPaymentId: 2, accountId: 1, isPersonnel: false };
  const known = {
    hash: rows.members[2]?.password ?? '',
    endless: recorded.tokens.seal(session, Number.POSITIVE_INFINITY),
  };
  const secrets = clientSecrets(known).map((secret) => `${secret}\n`);
  await writeFile(`${folder.path}/secrets.txt`, secrets.join(''));
  await recordUse(recorded.url, folder.path, (url) =>
    deployment === 'main' ? useMainService(url, known) : useAdminService(url),
  );
  return await compareByRecording(copy.url, service.url, folder.path);
}

describe.each(DIALECTS)(
  'the replaced system and this one, moved into %s',
  { timeout: 300_000 },
  (dialect) => {
    it('differ in every row of SECURITY.md that an answer can show, and in nothing else', async () => {
      const rows = await replacedRows();
      const main = await compareService(dialect, 'main', rows);
      const admin = await compareService(dialect, 'admin', rows);
      expect([...main.differences, ...admin.differences]).toEqual([]);
      const seen = new Set([...main.rows, ...admin.rows]);
      const visible = DELIBERATE_DIFFERENCES.filter(({ explains }) => explains !== undefined);
      expect(visible.map(({ row }) => row).filter((row) => !seen.has(row))).toEqual([]);
      expect([main.code, admin.code]).toEqual([0, 0]);
      const played = [...main.endpoints, ...admin.endpoints].map((endpoint) => endpoint.replace(/^\w+ /, ''));
      expect(
        KNOWN_PATHS.filter((path) => !played.includes(path) && oldEndpointAt(path).effect !== 'once'),
      ).toEqual([]);
    });
  },
);

it('the stand-in of the replaced system is kept apart from the services', () => {
  for (const name of ['admin-handlers', 'handling', 'main-handlers', 'rows', 'service']) {
    const text = readFileSync(new URL(`../test/replaced-${name}.ts`, import.meta.url), 'utf8');
    const imported = [...text.matchAll(/ from '(.+?)';$/gm)].map(([, from = '']) => from);
    const foreign = imported.filter(
      (from) => !/^(?:node:|bcrypt$|crypto-js$|jsonwebtoken$|\.\/replaced-)/.test(from),
    );
    expect([name, foreign]).toEqual([name, []]);
  }
});
