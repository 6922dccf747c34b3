import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testEnvironment } from '@gatehouse/testkit';

const PROGRAM = fileURLToPath(new URL('../../../../tooling/cli/dist/main.js', import.meta.url));

/** The operator's folder, and the database. */
export interface Operator {
  readonly folder: string;
  readonly databaseUrl: string;
  /** That of the user for migrations, if there are two. */
  readonly migrationUrl?: string;
}

/** Lines of a shell of an operator, in which `gatehouse` is the built command line. */
export async function runAsOperator(
  lines: string,
  { folder, databaseUrl, migrationUrl }: Operator,
): Promise<string> {
  const script = `set -euo pipefail\ngatehouse() { '${process.execPath}' '${PROGRAM}' "$@"; }\n${lines}`;
  const env = {
    ...process.env,
    ...testEnvironment(),
    DATABASE_URL: databaseUrl,
    ...(migrationUrl === undefined ? {} : { MIGRATION_DATABASE_URL: migrationUrl }),
  };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: folder, env });
  return stdout;
}
