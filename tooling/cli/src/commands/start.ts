import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDataCipher } from '@gatehouse/auth-core';
import { EarlierTablesError } from '@gatehouse/db/migration/apply-migrations';
import { openDatabase } from '@gatehouse/db/open-database';
import { embeddedPath } from '@gatehouse/db/open-options';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { moveDemonstration } from '@gatehouse/db/queries/seed-demonstration';
import { seedDemo, seedDemoPrograms } from '@gatehouse/features/deployment/seed-demo';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { interrupted } from '../interrupted.js';
import {
  developmentEnvironment,
  environmentOf,
  eventsUrlOf,
  PARTNER,
  PROGRAMS,
  type Program,
  takenPorts,
  urlOf,
} from '../start/programs.js';
import { welcome } from '../start/welcome.js';

const DATA_DIRECTORY = '.data';

/** The values of the image and units. Otherwise Node keeps garbage as long as the machine has memory. */
const SMALL_HEAP = ['--max-semi-space-size=16', '--max-old-space-size=256'];

export const start = defineCommand({
  name: 'start',
  summary: 'development only: migrate and seed the embedded database, run everything until Ctrl-C',
  options: {
    watch: {
      type: 'boolean',
      about: 'run the sources, and begin a service anew when one of them changes',
      default: false,
    },
  },
  async run(context, { values }) {
    const interruption = interrupted();
    const taken = await takenPorts(context.env);
    for (const sentence of taken) context.say(sentence);
    if (taken.length > 0) return 1;
    const env = developmentEnvironment(context.env, DATA_DIRECTORY);
    mkdirSync(DATA_DIRECTORY, { recursive: true, mode: 0o700 });
    const hasDemonstration = await prepareDatabase(env, context).catch(async (error: unknown) => {
      if (!(error instanceof EarlierTablesError) || context.env['DATABASE_URL']) throw error;
      await setAside(env, context);
      return prepareDatabase(env, context);
    });
    const children = PROGRAMS.map((program) =>
      runProgram(program, environmentOf(program, env, context.env), values.watch ? WATCHED : BUILT),
    );
    const ended = Promise.race(children.map(exitOf));
    const waiting = new AbortController();
    const isReady = await Promise.race([
      allReady(env, waiting.signal),
      Promise.race([ended, interruption]).then(() => false),
    ]);
    waiting.abort();
    if (isReady) {
      for (const line of welcome(env, { hasDemonstration })) context.say(line);
    }
    const outcome = await Promise.race([ended, interruption]);
    if (outcome !== 'interrupted') context.say('A program ended, so all of them stop. Its reason is above.');
    for (const child of children) child.kill('SIGTERM');
    const codes = await Promise.all(children.map(exitOf));
    return outcome === 'interrupted' && codes.every((code) => code === 0) ? 0 : 1;
  },
});

/** Whether the database has the demonstration data. A database with members stays unchanged. */
async function prepareDatabase(env: Record<string, string>, context: CommandContext): Promise<boolean> {
  const db = await openDatabase(env['DATABASE_URL'] ?? '');
  try {
    const { applied } = await db.migrate();
    if (applied.length > 0) context.say(`Database: applied ${applied.join(', ')}.`);
    const cipher = createDataCipher({ key: env['DATA_ENCRYPTION_KEY'] ?? '' });
    const places = { partnerUrl: urlOf(PARTNER, env), endpointUrl: eventsUrlOf(env) };
    if (await seedDemo(db, { cipher, nowMs: Date.now(), partnerUrl: places.partnerUrl })) {
      await seedDemoPrograms(db, { cipher, nowMs: Date.now(), endpointUrl: places.endpointUrl });
      context.say('Database: demonstration data written.');
    } else {
      await moveDemonstration(db, places);
    }
    return (await findCredential(db, 'owner@acme.test')) !== undefined;
  } finally {
    await db.close();
  }
}

/** Renames the development database that a version before 0.1.0 made, so that the start can make another. */
async function setAside(env: Record<string, string>, context: CommandContext): Promise<void> {
  const path = embeddedPath(env['DATABASE_URL'] ?? '');
  const former = `${path}.before-${new Date().toISOString().replaceAll(':', '')}`;
  await rename(path, former);
  for (const companion of ['-wal', '-shm'])
    await rename(`${path}${companion}`, `${former}${companion}`).catch(() => undefined);
  context.say(
    `Database: the tables were made by a version before 0.1.0; ${former} keeps them, and a new one is made.`,
  );
}

/** How Node runs a program, and its main file. */
interface Running {
  readonly flags: readonly string[];
  readonly fileOf: (program: Program) => string;
}

const BUILT: Running = { flags: ['--enable-source-maps'], fileOf: ({ path }) => path };

const WATCHED: Running = {
  flags: ['--import', 'tsx', '--conditions=@gatehouse/source', '--watch', '--watch-preserve-output'],
  fileOf: ({ path }) => path.replace('/dist/', '/src/').replace(/\.js$/, '.ts'),
};

function runProgram(program: Program, env: Record<string, string>, { flags, fileOf }: Running): ChildProcess {
  const path = fileURLToPath(new URL(`../../../../${fileOf(program)}`, import.meta.url));
  return spawn(process.execPath, [...SMALL_HEAP, ...flags, path, ...program.args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** The exit code. A program that SIGTERM ended before it could handle signals is regarded as stopped. */
function exitOf(child: ChildProcess): Promise<number> {
  const codeOf = (code: number | null, signal: string | null) => code ?? (signal === 'SIGTERM' ? 0 : 1);
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(codeOf(child.exitCode, child.signalCode));
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(codeOf(code, signal));
    });
  });
}

/** True once every program answers, false when the signal aborts. */
async function allReady(env: Record<string, string>, signal: AbortSignal): Promise<boolean> {
  await Promise.all(
    PROGRAMS.map(async (program) => {
      while (!signal.aborted && !(await isAnswering(`${urlOf(program, env)}/readyz`, signal))) {
        await setTimeout(50);
      }
    }),
  );
  return !signal.aborted;
}

async function isAnswering(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(url, { signal }).catch(() => undefined);
  return response?.ok ?? false;
}
