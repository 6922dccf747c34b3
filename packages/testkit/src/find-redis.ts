import { findProgram } from './find-program.js';

const NAMES = ['redis-server', 'valkey-server'];

/** The path of an installed Redis or Valkey server; undefined without one. */
export function findRedis(): string | undefined {
  return NAMES.map((name) => findProgram(name)).find((path) => path !== undefined);
}
