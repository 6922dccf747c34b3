import type { CommandContext } from '../command.js';

/** A program of a development start, relative to the repository. */
export interface Program {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  readonly portVariable: string;
  readonly defaultPort: string;
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
  portVariable: 'SIMULATOR_PORT',
  defaultPort: '4020',
};

export const PROGRAMS = [API_MAIN, API_ADMIN, SIMULATOR];

/** The port a program listens on, as its variable or its default says. */
export function portOf(program: Program, env: CommandContext['env']): string {
  return env[program.portVariable] ?? program.defaultPort;
}
