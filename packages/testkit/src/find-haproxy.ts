import { findProgram } from './find-program.js';

/** Where haproxy is installed, undefined where it is not. */
export function findHaproxy(): string | undefined {
  return findProgram('haproxy', ['/usr/sbin', '/usr/local/sbin']);
}
