import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testEnvironment } from '@gatehouse/testkit';

const PROGRAM = fileURLToPath(new URL('../../../../tooling/cli/dist/main.js', import.meta.url));

/** Lines of a shell of an operator, in which `gatehouse` is the built command line. */
export async function runAsOperator(
  lines: string,
  { folder, databaseUrl }: { folder: string; databaseUrl: string },
): Promise<string> {
  const script = `set -euo pipefail\ngatehouse() { '${process.execPath}' '${PROGRAM}' "$@"; }\n${lines}`;
  const env = { ...process.env, ...testEnvironment(), DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
  return stdout;
}
