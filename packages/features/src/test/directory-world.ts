import { randomId } from '@gatehouse/auth-core';
import type { RunningService } from '@gatehouse/testkit';
import { z } from 'zod';
import { USER_SCHEMA } from '../scim/discovery.js';
import { type PeopleWorld, startPeopleWorld } from './people-world.js';
import { insertTestDomain } from './test-sso.js';

const made = z.object({ data: z.object({ id: z.int(), lastFour: z.string() }), token: z.string() });

/** An answer to a directory. */
export interface ScimReply {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  /** The kind of a refusal. */
  readonly scimType: unknown;
}

export type ScimMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How a directory calls. */
export interface ScimCall {
  readonly token?: string;
  readonly on?: RunningService;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
}

/** An account whose directory provisions people. */
export interface DirectoryWorld extends PeopleWorld {
  readonly account1: {
    readonly id: number;
    readonly owner: { readonly id: number; readonly token: string; readonly email: string };
    readonly as: { readonly token: string; readonly accountId: number };
  };
  /** The domain that the account has verified. */
  readonly domain: string;
  /** A token of the account's directory. */
  readonly token: string;
  addToken(as: object, more?: object): Promise<z.output<typeof made>>;
  /** An address in the verified domain that nobody has. */
  address(): string;
  /** Provisions a new person, and returns their id. */
  provision(more?: object): Promise<{ readonly id: string; readonly userName: string }>;
  scim(method: ScimMethod, path: string, call?: ScimCall): Promise<ScimReply>;
}

const provisioned = z.object({ id: z.string(), userName: z.string() });
const anyBody = z.record(z.string(), z.unknown());

export async function startDirectoryWorld(
  env: Readonly<Record<string, string>> = {},
): Promise<DirectoryWorld> {
  const world = await startPeopleWorld(env);
  const { id, owner } = await world.account();
  const as = { token: owner.token, accountId: id };
  const addToken: DirectoryWorld['addToken'] = async (by, more = {}) => {
    const body = { name: 'Entra ID', ...more };
    const response = await world.service.send('/v1/scim/addToken', { ...by, body });
    return made.parse(await response.json());
  };
  const { token } = await addToken(as);
  const domain = `${randomId(4)}.example`;
  await insertTestDomain(world.db, { accountId: id, createdById: owner.id, domain, isVerified: true });
  let addresses = 0;
  const address = () => {
    addresses += 1;
    return `person${addresses}@${domain}`;
  };
  const scim: DirectoryWorld['scim'] = async (
    method,
    path,
    { token: by = token, on = world.service, headers, body } = {},
  ) => {
    const response = await on.send(`/scim/v2${path}`, {
      method,
      ...(by === '' ? {} : { bearer: by }),
      headers: { 'content-type': 'application/scim+json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const read = text === '' ? {} : anyBody.parse(JSON.parse(text));
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      headers: response.headers,
      body: read,
      scimType: read['scimType'],
    };
  };
  return {
    ...world,
    account1: { id, owner, as },
    token,
    addToken,
    domain,
    address,
    scim,
    async provision(more = {}) {
      const body = { schemas: [USER_SCHEMA], userName: address(), active: true, ...more };
      return provisioned.parse((await scim('POST', '/Users', { body })).body);
    },
  };
}
