import type { RunningService } from '@gatehouse/testkit';
import { z } from 'zod';
import { type PeopleWorld, startPeopleWorld } from './people-world.js';

const answer = z.looseObject({
  data: z.unknown().optional(),
  error: z.object({ code: z.string() }).optional(),
});
const made = z.object({ data: z.object({ id: z.int() }), key: z.string() });
const withId = z.object({ id: z.int() });

/** How an API key calls. */
interface KeyCall {
  readonly on?: RunningService;
  readonly accountId?: number;
  readonly address?: string;
}

/** An account with a machine that has one key. */
export interface MachineWorld extends PeopleWorld {
  readonly account1: {
    readonly id: number;
    readonly as: { readonly token: string; readonly accountId: number };
  };
  readonly machineId: number;
  /** Makes a key of the machine. */
  newKey(scopes: readonly string[], more?: object): Promise<{ readonly id: number; readonly key: string }>;
  /** Calls a procedure with a key. */
  by(
    key: string,
    name: string,
    input?: object,
    how?: KeyCall,
  ): Promise<{
    readonly status: number;
    readonly code: string | undefined;
    readonly data: unknown;
  }>;
}

export async function startMachineWorld({
  roleType = 2,
  env = {},
  dialect,
}: {
  roleType?: number;
  env?: Readonly<Record<string, string>>;
  dialect?: 'libsql';
} = {}): Promise<MachineWorld> {
  const world = await startPeopleWorld(env, dialect);
  const { id, owner } = await world.account();
  const as = { token: owner.token, accountId: id };
  const saved = await world.call('machine.save', { name: 'Importer', roleType }, as);
  const machineId = withId.parse(saved.data).id;
  return {
    ...world,
    account1: { id, as },
    machineId,
    async newKey(scopes, more = {}) {
      const body = { machineId, name: 'Nightly', scopes, ...more };
      const response = await world.service.send('/v1/key/create', { ...as, body });
      const { data, key } = made.parse(await response.json());
      return { id: data.id, key };
    },
    async by(key, name, input = {}, { on = world.service, accountId, address } = {}) {
      const response = await on.send(name.startsWith('/') ? name : `/v1/${name.replaceAll('.', '/')}`, {
        bearer: key,
        ...(name.startsWith('/') ? {} : { body: input }),
        ...(accountId === undefined ? {} : { accountId }),
        ...(address === undefined ? {} : { headers: { 'X-Forwarded-For': address } }),
      });
      const text = await response.text();
      const read = text.startsWith('{') ? answer.parse(JSON.parse(text)) : undefined;
      return { status: response.status, code: read?.error?.code, data: read?.data ?? read };
    },
  };
}
