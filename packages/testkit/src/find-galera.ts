import { existsSync } from 'node:fs';
import { findProgram } from './find-program.js';

const LIBRARIES = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
  '/usr/lib64/galera/libgalera_smm.so',
];

/**
 * The library that makes MariaDB a cluster. Undefined if it is missing, or if rsync, which copies its data,
 * is missing.
 */
export function findGalera(): string | undefined {
  if (findProgram('rsync') === undefined) return undefined;
  return LIBRARIES.find((path) => existsSync(path));
}
