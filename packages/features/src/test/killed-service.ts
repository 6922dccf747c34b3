import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { testEnvironment } from '@gatehouse/testkit';
import { compileProgram } from '@gatehouse/testkit/database';

/** Where a service is killed: at the statement of this number, counted over its transactions. */
export interface Death {
  readonly statement: number;
  /** Before the statement is sent, or while the database runs it. */
  readonly when: 'before' | 'during';
  /** What it does until then: it is counted in the statistics, and gets no requests. */
  readonly doing?: 'counting';
}

export interface KilledService extends AsyncDisposable {
  readonly url: string;
  /** Resolves once the process has ended, and rejects if it lives for two minutes. */
  readonly ended: Promise<unknown>;
}

const LONGEST_LIFE_MS = 120_000;
const PROGRAM = new URL('die-at-statement.ts', import.meta.url);

/**
 * Starts a service in a process that kills itself with SIGKILL at the given statement. Needs a build: from its sources it
 * takes three times as long to start.
 */
export async function startKilledService(
  databaseUrl: string,
  death: Death,
  application: 'web' | 'admin' = 'web',
  env: Readonly<Record<string, string>> = {},
): Promise<KilledService> {
  const child = spawn(process.execPath, [await compileProgram(PROGRAM)], {
    env: {
      ...testEnvironment(),
      ...env,
      DATABASE_URL: databaseUrl,
      DIE_AT_STATEMENT: String(death.statement),
      DIE_WHEN: death.when,
      DIE_AS: application,
      ...(death.doing ? { DIE_DOING: death.doing } : {}),
      PATH: process.env['PATH'],
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(LONGEST_LIFE_MS) }).catch(
    (cause: unknown) => {
      throw new Error(`The service does not reach statement ${death.statement}`, { cause });
    },
  );
  const early = ended.then((): never => {
    throw new Error('The service ended before it listened');
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), early]);
  early.catch(() => undefined);
  return {
    url: String(line).trim(),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
}
