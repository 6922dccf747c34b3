import { findProgram } from './find-program.js';

/** The path of nginx; undefined when it is not installed. */
export function findNginx(): string | undefined {
  return findProgram('nginx', ['/usr/sbin', '/usr/local/sbin']);
}
