import { execFile } from 'node:child_process';

/** Runs a Node script to its end, without the environment of these tests. */
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
