import { once } from 'node:events';
import { createServer } from 'node:net';
import type { CommandContext } from '../command.js';
import { hostOf, PARTNER, PROGRAMS, portOf } from './programs.js';

/**
 * One sentence for each port in use by another program. Without this check that program's answer would be
 * taken for ours, and the start would look successful.
 */
export async function takenPorts(env: CommandContext['env']): Promise<string[]> {
  const findings = await Promise.all(
    [...PROGRAMS, PARTNER].map(async (program) => {
      const port = portOf(program, env);
      if (await isFree(Number(port), hostOf(program, env))) return [];
      return [
        `${program.name} cannot have port ${port}: something listens there. Stop it, or set ${program.portVariable}.`,
      ];
    }),
  );
  return findings.flat();
}

/** Other errors of a port are reported by the program itself. */
async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  } finally {
    server.close();
  }
}
