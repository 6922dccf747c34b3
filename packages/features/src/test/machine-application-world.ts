import { insertTestMember } from '@gatehouse/testkit';
import { type OauthWorld, startOauthWorld } from './oauth-world.js';
import { insertTestMachine } from './test-machines.js';

const SCOPES = ['account.read', 'member.list', 'conversation.read'];

/** An account with a machine, and an application that acts as it. */
export async function startMachineApplicationWorld({
  now = Date.now,
  scopes = SCOPES,
}: {
  now?: () => number;
  scopes?: string[];
} = {}) {
  const world = await startOauthWorld(now);
  const owner = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const machineId = await insertTestMachine(world.db, { accountId: 1, createdById: owner.id });
  const application = await insertMachineApplication(world, { machineId, scopes });
  const { config } = await world.client(application);
  return {
    world,
    owner,
    machineId,
    application,
    config,
    /** Calls a procedure as the owner of the account. */
    by: (path: string, body: object) => world.main.send(path, { token: owner.token, accountId: 1, body }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

export type MachineApplicationWorld = Awaited<ReturnType<typeof startMachineApplicationWorld>>;

export function insertMachineApplication(
  world: OauthWorld,
  { machineId, scopes = SCOPES }: { machineId: number; scopes?: string[] },
) {
  return world.application({
    accountId: 1,
    type: 'machine',
    machineId,
    redirectUris: [],
    postLogoutRedirectUris: [],
    scopes,
  });
}
