import { fileURLToPath } from 'node:url';
import { findFreePort, startExample } from '@gatehouse/testkit';
import { callWith } from './access-token-world.js';
import { startOauthWorld } from './oauth-world.js';

/** The folder of the example, whose packages the workspace has installed in the versions that it names. */
export const EXAMPLE = fileURLToPath(new URL('../../../../examples/mcp-server', import.meta.url));

/** The services at the address that they name, so that programs in other processes find them, and the example's server. */
export async function startExampleMcpWorld(env: Readonly<Record<string, string>> = {}) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const world = await startOauthWorld(Date.now, { APP_URL: url, BASE_URL: url, ...env }, port);
  const { admin, root } = world;
  const own = await findFreePort();
  const origin = `http://127.0.0.1:${own}`;
  const machine = await callWith(admin, '/v1/machine/save', root.token, { name: 'Absences' });
  const fields = { machineId: machine.data.id, name: 'Absences' };
  const { key = '' } = await callWith(admin, '/v1/key/create', root.token, { ...fields, scopes: [] });
  await callWith(admin, '/v1/resource/save', root.token, { ...fields, origin });
  const server = startExample(EXAMPLE, ['server.ts'], {
    GATEHOUSE_URL: url,
    GATEHOUSE_KEY: key,
    PORT: String(own),
  });
  await server.prints(/\/mcp/);
  return {
    ...world,
    origin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
