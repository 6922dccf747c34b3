import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEMONSTRATION_PASSWORD, seedDemo, withDevelopmentSecrets } from '@gatehouse/api-kit';
import { createDataCipher } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db';
import { providerEnvironment } from '@gatehouse/simulator';
import type { Command, CommandContext } from '../command.js';

const DATA_DIRECTORY = '.data';

/** As the image and the units have it: without it Node keeps garbage for as long as the machine has memory. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--max-old-space-size=256'];

/** A program of a development start, relative to the repository. */
interface Program {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  readonly portVariable: string;
  readonly defaultPort: string;
}

const API_MAIN: Program = {
  name: 'api-main',
  path: 'apps/api-main/dist/main.js',
  args: [],
  portVariable: 'PORT',
  defaultPort: '4000',
};

const API_ADMIN: Program = {
  name: 'api-admin',
  path: 'apps/api-admin/dist/main.js',
  args: [],
  portVariable: 'ADMIN_PORT',
  defaultPort: '4001',
};

const SIMULATOR: Program = {
  name: 'simulator',
  path: 'tooling/simulator/dist/main.js',
  args: ['providers'],
  portVariable: 'SIMULATOR_PORT',
  defaultPort: '4020',
};

const PROGRAMS = [API_MAIN, API_ADMIN, SIMULATOR];

export const start: Command = {
  name: 'start',
  summary: 'development only: migrate and seed the embedded database, run everything until Ctrl-C',
  async run(context) {
    const env = developmentEnvironment(context.env);
    mkdirSync(DATA_DIRECTORY, { recursive: true });
    await prepareDatabase(env, context);
    const children = PROGRAMS.map((program) => runProgram(program, env));
    const ended = Promise.race(children.map(exitOf));
    const isReady = await Promise.race([
      allReady(env).then(() => true),
      ended.then(() => false),
      interrupted(),
    ]);
    if (isReady === true) welcome(env, context);
    if (isReady !== 'interrupted') await Promise.race([ended, interrupted()]);
    for (const child of children) child.kill('SIGTERM');
    const codes = await Promise.all(children.map(exitOf));
    return codes.every((code) => code === 0) ? 0 : 1;
  },
};

function developmentEnvironment(given: CommandContext['env']): Record<string, string> {
  const port = portOf(API_MAIN, given);
  const env = withDevelopmentSecrets(
    {
      DATABASE_URL: `file:${DATA_DIRECTORY}/gatehouse.db`,
      BASE_URL: `http://127.0.0.1:${port}`,
      APP_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'warn',
      ...simulatedProviders(given),
      ...given,
      NODE_ENV: 'development',
    },
    DATA_DIRECTORY,
  );
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Providers that the environment has no credentials for are played by the simulator. */
function simulatedProviders(given: CommandContext['env']): Record<string, string> {
  const variables = Object.entries(providerEnvironment(`http://127.0.0.1:${portOf(SIMULATOR, given)}`));
  const isPlayed = (name: string) => given[`${name.split('_')[0]}_CLIENT_ID`] === undefined;
  return Object.fromEntries(variables.filter(([name]) => isPlayed(name)));
}

async function prepareDatabase(env: Record<string, string>, context: CommandContext): Promise<void> {
  const db = await openDatabase(env['DATABASE_URL'] ?? '');
  try {
    const { applied } = await db.migrate();
    if (applied.length > 0) context.say(`Database: ${applied.length} migrations applied.`);
    const isNew = await seedDemo(db, {
      cipher: createDataCipher({ key: env['DATA_ENCRYPTION_KEY'] ?? '' }),
      nowMs: Date.now(),
    });
    if (isNew) context.say('Database: demonstration data written.');
  } finally {
    await db.close();
  }
}

function runProgram(program: Program, env: Record<string, string>): ChildProcess {
  const path = fileURLToPath(new URL(`../../../../${program.path}`, import.meta.url));
  return spawn(process.execPath, [...SMALL_HEAP, '--enable-source-maps', path, ...program.args], {
    env: { ...env, PORT: portOf(program, env) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function portOf(program: Program, env: CommandContext['env']): string {
  return env[program.portVariable] ?? program.defaultPort;
}

function exitOf(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

function interrupted(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve('interrupted');
      });
    }
  });
}

async function allReady(env: Record<string, string>): Promise<void> {
  await Promise.all(
    PROGRAMS.map(async (program) => {
      const url = `http://127.0.0.1:${portOf(program, env)}/readyz`;
      for (;;) {
        const response = await fetch(url).catch(() => undefined);
        if (response?.ok) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }),
  );
}

function welcome(env: Record<string, string>, { say }: CommandContext): void {
  const base = `http://127.0.0.1:${portOf(API_MAIN, env)}`;
  say('');
  say('Gatehouse is up.');
  for (const program of PROGRAMS)
    say(`  ${program.name.padEnd(10)} http://127.0.0.1:${portOf(program, env)}`);
  say('');
  say(`Demonstration logins (password ${DEMONSTRATION_PASSWORD}):`);
  say('  owner@acme.test     owner of account 1, manager in account 2');
  say('  member@acme.test    member of account 1');
  say('  root@gatehouse.test staff, every account (admin service)');
  say('');
  say(`  curl -s ${base}/webauthenticate -H 'content-type: application/json' \\`);
  say(`    -d '{"email":"owner@acme.test","password":"${DEMONSTRATION_PASSWORD}"}'`);
  say('');
  say(`Mails, which stay on this machine: ${base}/dev/outbox`);
  say(`Social sign-in, at simulated providers: ${base}/socialAuth`);
  say('');
  say('Ctrl-C stops all of it.');
}
