import { findHaproxy } from './find-haproxy.js';
import { startProxy } from './start-proxy.js';

/**
 * Runs haproxy with a configuration file until disposal.
 * @param ports it is regarded as started once it listens on these
 * @throws Error if haproxy is not installed, or with its output if it does not start within ten seconds
 */
export async function startHaproxy(
  file: string,
  options: { variables: Readonly<Record<string, string>>; ports: readonly number[] },
): Promise<AsyncDisposable> {
  const program = findHaproxy();
  if (program === undefined) throw new Error('haproxy is not installed');
  return startProxy({
    program,
    args: ['-db', '-f', file],
    env: options.variables,
    ports: options.ports,
  });
}
