import { execFile } from 'node:child_process';

/** Runs a script of Node to its end, with nothing said of how these tests are run. */
export function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ isOk: boolean; output: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 10_000_000 };
    execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      resolve({ isOk: error === null, output: error === null ? stdout : `${stdout}${stderr}` });
    });
  });
}
