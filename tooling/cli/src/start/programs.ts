import type { CommandContext } from '../command.js';

const THIS_MACHINE = '127.0.0.1';

/** A program with its own port. */
export interface Place {
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

export const PROGRAMS = [API_MAIN, API_ADMIN, SIMULATOR];

/** The port of a program, from its variable or its default. */
export function portOf(place: Place, env: CommandContext['env']): string {
  return env[place.portVariable] || place.defaultPort;
}

/** The address it listens on. For the services HOST decides. */
export function hostOf({ host }: Place, env: CommandContext['env']): string {
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
