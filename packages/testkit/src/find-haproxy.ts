import { findProgram } from './find-program.js';

/** The path of haproxy; undefined when it is not installed. */
export function findHaproxy(): string | undefined {
  return findProgram('haproxy', ['/usr/sbin', '/usr/local/sbin']);
}
