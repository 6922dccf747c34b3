import { CommandError } from '../command-error.js';
import { auth0 } from './auth0.js';
import { betterAuth } from './better-auth.js';
import { clerk } from './clerk.js';
import { cognito } from './cognito.js';
import { csv } from './csv.js';
import { firebase } from './firebase.js';
import type { ForeignReader } from './foreign-line.js';
import { keycloak } from './keycloak.js';
import { supabase } from './supabase.js';

/** The systems whose exports are read, by the words of `--from`. */
export const FOREIGN_KINDS: Readonly<Record<string, ForeignReader>> = {
  auth0,
  'better-auth': betterAuth,
  clerk,
  cognito,
  csv,
  firebase,
  keycloak,
  supabase,
};

/** @throws {CommandError} for an unknown kind */
export function findForeignReader(kind: string): ForeignReader {
  const reader = Object.hasOwn(FOREIGN_KINDS, kind) ? FOREIGN_KINDS[kind] : undefined;
  if (reader !== undefined) return reader;
  throw new CommandError(`--from takes one of ${Object.keys(FOREIGN_KINDS).join(', ')}.`);
}
