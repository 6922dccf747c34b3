import { once } from 'node:events';
import { createServer } from 'node:net';
import { withDevelopmentSecrets } from '@gatehouse/runtime/config/secrets';
import { billingEnvironment, providerEnvironment } from '@gatehouse/simulator';
import type { CommandContext } from '../command.js';

const THIS_MACHINE = '127.0.0.1';

/** A program with its own port. */
interface Place {
  readonly name: string;
  /** The fixed address it listens on, independent of HOST. */
  readonly host?: string;
  readonly portVariable: string;
  readonly defaultPort: string;
}

/** A program of a development start, relative to the repository. */
export interface Program extends Place {
  readonly path: string;
  readonly args: readonly string[];
}

export const API_MAIN: Program = {
  name: 'api-main',
  path: 'apps/api-main/dist/main.js',
  args: [],
  portVariable: 'PORT',
  defaultPort: '4000',
};

export const API_ADMIN: Program = {
  name: 'api-admin',
  path: 'apps/api-admin/dist/main.js',
  args: [],
  portVariable: 'ADMIN_PORT',
  defaultPort: '4001',
};

export const SIMULATOR: Program = {
  name: 'simulator',
  path: 'tooling/simulator/dist/main.js',
  args: ['providers'],
  host: THIS_MACHINE,
  portVariable: 'SIMULATOR_PORT',
  defaultPort: '4020',
};

/** The front end of the demonstration's partner, played by the simulator. */
export const PARTNER: Place = {
  name: 'acme-partner',
  host: THIS_MACHINE,
  portVariable: 'PARTNER_PORT',
  defaultPort: '4010',
};

/** The receiver of the demonstration's events, played by the simulator. */
export const eventsUrlOf = (env: CommandContext['env']): string => `${urlOf(SIMULATOR, env)}/events`;

export const PROGRAMS = [API_MAIN, API_ADMIN, SIMULATOR];

/** The port of a program, from its variable or its default. */
export function portOf(place: Place, env: CommandContext['env']): string {
  return env[place.portVariable] || place.defaultPort;
}

/** The address it listens on. For the services HOST decides. */
function hostOf({ host }: Place, env: CommandContext['env']): string {
  return host ?? (env['HOST'] || THIS_MACHINE);
}

/** The URL of the program on this machine. */
export function urlOf(place: Place, env: CommandContext['env']): string {
  const host = hostOf(place, env);
  const reached = host === '0.0.0.0' || host === '::' ? THIS_MACHINE : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${portOf(place, env)}`;
}

/** The same for people: passkeys need the name of this machine instead of its IP address. */
export function pageUrlOf(place: Place, env: CommandContext['env']): string {
  return urlOf(place, env).replace(`//${THIS_MACHINE}:`, '//localhost:');
}

/**
 * One sentence for each port in use by another program. Without this check that program's answer would be mistaken for ours, and
 * the start would look successful.
 */
export async function takenPorts(env: CommandContext['env']): Promise<string[]> {
  const findings = await Promise.all(
    [...PROGRAMS, PARTNER].map(async (program) => {
      const port = portOf(program, env);
      if (await isFree(Number(port), hostOf(program, env))) return [];
      return [
        `${program.name} cannot have port ${port}: something listens there. Stop it, or set ${program.portVariable}.`,
      ];
    }),
  );
  return findings.flat();
}

/** Other errors of a port are reported by the program itself. */
async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  } finally {
    server.close();
  }
}

/** The usual ports of front ends' development servers. */
const LOCAL_FRONT_ENDS = ['localhost', '127.0.0.1'].flatMap((host) => [
  `http://${host}:3000`,
  `http://${host}:5173`,
]);

/**
 * The environment of the programs in a development start: everything has a default, and given values take
 * precedence.
 */
export function developmentEnvironment(
  given: CommandContext['env'],
  dataDirectory: string,
): Record<string, string> {
  const main = pageUrlOf(API_MAIN, given);
  const env = withDevelopmentSecrets(
    {
      DATABASE_URL: `file:${dataDirectory}/gatehouse.db`,
      BASE_URL: main,
      APP_URL: main,
      CORS_ORIGINS: LOCAL_FRONT_ENDS.join(','),
      LOG_LEVEL: 'info',
      ...simulatedProviders(given),
      ...simulatedPayments(given),
      ...given,
      NODE_ENV: 'development',
    },
    dataDirectory,
  );
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function ownAddressesOf(program: Program, env: Readonly<Record<string, string>>): Record<string, string> {
  switch (program) {
    case API_ADMIN:
      return { BASE_URL: pageUrlOf(API_ADMIN, env), MAIN_URL: env['MAIN_URL'] ?? pageUrlOf(API_MAIN, env) };
    case API_MAIN:
      return { ADMIN_URL: env['ADMIN_URL'] ?? pageUrlOf(API_ADMIN, env) };
    default:
      return {};
  }
}

/**
 * The environment of one of the programs. Unless BASE_URL is given for all, the admin service has its own address: the console is
 * there, to which links in mails and the end of a support session lead.
 */
export function environmentOf(
  program: Program,
  env: Readonly<Record<string, string>>,
  given: CommandContext['env'],
): Record<string, string> {
  const own = given['BASE_URL'] ? {} : ownAddressesOf(program, env);
  return { ...env, ...own, PORT: portOf(program, env) };
}

/** The simulator plays providers without credentials in the environment. */
function simulatedProviders(given: CommandContext['env']): Record<string, string> {
  const variables = Object.entries(providerEnvironment(urlOf(SIMULATOR, given)));
  const isPlayed = (name: string) => given[`${name.split('_')[0]}_CLIENT_ID`] === undefined;
  return Object.fromEntries(variables.filter(([name]) => isPlayed(name)));
}

/** The simulator handles payments when the environment has no key of either provider. */
function simulatedPayments(given: CommandContext['env']): Record<string, string> {
  if (given['STRIPE_API_KEY'] || given['PADDLE_API_KEY']) return {};
  return billingEnvironment(urlOf(SIMULATOR, given));
}
