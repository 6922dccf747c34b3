import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertTestMember, printMeasurements, rounds, type TestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { expect, inject, it } from 'vitest';
import { callWith } from '../../test/access-token-world.js';
import { insertMachineApplication } from '../../test/machine-application-world.js';
import {
  type OauthWorld,
  signInThrough,
  startOauthWorld,
  type TestApplication,
} from '../../test/oauth-world.js';
import { insertTestMachine } from '../../test/test-machines.js';

/** The kinds of tokens of members: for our own API, for userinfo, and each with a grant that outlives the session. */
const TOKENS = {
  api: { scopes: ['read'], isLasting: false },
  'lasting api': { scopes: ['read'], isLasting: true },
  userinfo: { scopes: ['openid', 'email'], isLasting: false },
  'lasting userinfo': { scopes: ['openid', 'email'], isLasting: true },
} as const;

/** Those, and tokens with which an application calls our API as its machine. */
type TokenKind = keyof typeof TOKENS | 'machine';

interface Connection {
  /** The member for whom it acts, or the owner of its machine's account. */
  readonly member: TestMember;
  readonly machineId?: number;
  readonly agent: TestApplication;
  readonly client: Awaited<ReturnType<OauthWorld['client']>>;
  readonly tokens: oauth.TokenEndpointResponse;
}

interface Ending {
  /** The tokens that it ends. */
  readonly of: readonly TokenKind[];
  /** Whether the whole grant ends, so that introspection and refresh know it no longer. */
  readonly endsGrant: boolean;
  take(world: OauthWorld, connection: Connection): Promise<unknown>;
}

const OF_API: readonly TokenKind[] = ['api', 'lasting api'];
const AT_API: readonly TokenKind[] = [...OF_API, 'machine'];
const OF_SESSION: readonly TokenKind[] = ['api', 'userinfo'];
const OF_MEMBER: readonly TokenKind[] = ['api', 'lasting api', 'userinfo', 'lasting userinfo'];
const ALL: readonly TokenKind[] = [...OF_MEMBER, 'machine'];

/** Every way in which the access of an application ends. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  'the member signs out': {
    of: OF_SESSION,
    endsGrant: true,
    take: ({ main }, { member }) =>
      succeed(main.send('/auth/logout', { token: member.token, method: 'POST' })),
  },
  'the member withdraws': {
    of: OF_MEMBER,
    endsGrant: true,
    async take({ main }, { member }) {
      const list = await main.send('/v1/consent/applications', { token: member.token });
      const { data } = (await list.json()) as { data: { id: number }[] };
      const body = { consentId: data[0]?.id };
      await succeed(main.send('/v1/consent/withdraw', { token: member.token, body, method: 'POST' }));
    },
  },
  'the token is revoked': {
    of: ALL,
    endsGrant: false,
    take: (_, { client, tokens }) => oauth.tokenRevocation(client.config, tokens.access_token),
  },
  'the application is switched off': {
    of: ALL,
    // Its secret is no longer known either, so it cannot ask, and its attempts would count as wrong secrets.
    endsGrant: false,
    take: (world, { agent }) => changeApplication(world, agent, { active: false }),
  },
  'the member is banned': {
    of: OF_MEMBER,
    endsGrant: true,
    async take({ admin, root }, { member }) {
      const { status } = await callWith(admin, '/v1/member/ban', root.token, { memberId: member.id });
      if (status !== 200) throw new Error(`The ban answers ${status}`);
    },
  },
  'the application may no longer ask for the scope': {
    of: AT_API,
    endsGrant: false,
    take: (world, { agent }) => changeApplication(world, agent, { scopes: ['openid'] }),
  },
  'the member leaves the account': {
    of: OF_API,
    endsGrant: true,
    take: ({ main }, { member }) =>
      succeed(
        main.send('/v1/membership/leave', { token: member.token, body: {}, accountId: 1, method: 'POST' }),
      ),
  },
  'the machine gets a lower role': {
    of: ['machine'],
    endsGrant: false,
    take: (world, connection) => giveRole(world, connection, 5),
  },
  'the machine is removed': {
    of: ['machine'],
    // Without a machine it is not a client, so it cannot ask.
    endsGrant: false,
    take: ({ main }, { member, machineId }) =>
      succeed(main.send('/v1/machine/remove', { token: member.token, body: { machineId }, accountId: 1 })),
  },
};

async function succeed(sent: Promise<Response>): Promise<void> {
  const { status } = await sent;
  if (status !== 200) throw new Error(`The change answers ${status}`);
}

async function changeApplication({ db }: OauthWorld, { id }: TestApplication, fields: object) {
  const row = await findApplicationById(db, id);
  if (row === undefined) throw new Error('There is no application');
  await changeAccess(db, {}, (tx) => setApplication(tx, { ...row, ...fields, nowMs: Date.now() }));
}

function giveRole(
  { main }: OauthWorld,
  { member, machineId }: Pick<Connection, 'member' | 'machineId'>,
  roleType: number,
): Promise<void> {
  const body = { machineId, name: 'Importer', roleType };
  return succeed(main.send('/v1/machine/save', { token: member.token, accountId: 1, body }));
}

async function connectMachine(world: OauthWorld): Promise<Connection> {
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const machineId = await insertTestMachine(world.db, { accountId: 1, createdById: member.id });
  await giveRole(world, { member, machineId }, 2);
  const agent = await insertMachineApplication(world, { machineId });
  const client = await world.client(agent);
  const asked = { scope: 'member.list', resource: world.baseUrl };
  const tokens = await oauth.clientCredentialsGrant(client.config, asked);
  return { member, machineId, agent, client, tokens };
}

async function connect(world: OauthWorld, kind: TokenKind): Promise<Connection> {
  if (kind === 'machine') return connectMachine(world);
  const { scopes, isLasting } = TOKENS[kind];
  const agent = await world.application({ scopes: ['openid', 'email', 'offline_access', 'read'] });
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 2, 2: 2 } });
  const isForApi = OF_API.includes(kind);
  const parameters = {
    scope: [...scopes, ...(isLasting ? ['offline_access'] : [])].join(' '),
    ...(isForApi ? { resource: world.baseUrl } : {}),
    ...(isLasting ? { prompt: 'consent' } : {}),
  };
  const choice = isForApi ? { account: 1, scopes } : {};
  const { client, tokens } = await signInThrough(world, agent, member, { parameters, ...choice });
  return { member, agent, client, tokens };
}

it('tokens of applications are refused on the next request on another node once their access has ended', {
  timeout: 1_800_000,
}, async () => {
  // The client here keeps idle connections, and may send a request on one at the moment when it is closed.
  const patience = { HEADERS_TIMEOUT_MS: '600000', REQUEST_TIMEOUT_MS: '600000' };
  await using world = await startOauthWorld(Date.now, patience);
  const { main, other } = world;
  const total = rounds({ suite: 27, stress: 1_000 });
  const kinds = Object.entries(ENDINGS).flatMap(([name, ending]) =>
    ending.of.map((token) => ({ name: `${token}: ${name}`, token, ...ending })),
  );
  const late: string[] = [];
  const faults: string[] = [];

  async function round(index: number): Promise<void> {
    const kind = kinds[index % kinds.length];
    if (kind === undefined) return;
    const connection = await connect(world, kind.token);
    const { agent, tokens } = connection;
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const path = AT_API.includes(kind.token) ? '/v1/member/list' : '/oauth/userinfo';
    const status = async (on = other) => (await on.send(path, { headers })).status;
    const elsewhere = await world.client(agent, other);
    const isActive = () =>
      holds(async () => {
        const { active } = await oauth.tokenIntrospection(elsewhere.config, tokens.access_token);
        return active;
      });
    const refreshes = () =>
      holds(async () => {
        if (tokens.refresh_token === undefined) return false;
        await oauth.refreshTokenGrant(elsewhere.config, tokens.refresh_token);
        return true;
      });
    for (const before of [await status(), await status(main)])
      if (before !== 200) faults.push(`${kind.name}: ${before} before`);
    if (!(await isActive())) faults.push(`${kind.name}: inactive before`);
    // Requests under way are not the answer to those after the change.
    const onTheirWay = [status(), status()];
    await kind.take(world, connection);
    const after = await status();
    if (after === 200) late.push(kind.name);
    else if (after !== 401 && after !== 403) faults.push(`${kind.name}: ${after} after`);
    const isTokenEnded = kind.endsGrant || kind.name.endsWith('revoked');
    if (isTokenEnded && (await isActive())) late.push(`${kind.name}: introspection`);
    if (kind.endsGrant && (await refreshes())) late.push(`${kind.name}: refresh`);
    await Promise.all(onTheirWay);
  }

  const side = async (offset: number, sides: number) => {
    for (let index = offset; index < total; index += sides) await round(index);
  };
  await Promise.all([side(0, 2), side(1, 2)]);
  const figures = { rounds: total, kinds: kinds.length, late: late.length };
  printMeasurements(`applications are refused on the next request (${inject('dialect')})`, figures);
  expect(late).toEqual([]);
  expect(faults).toEqual([]);
});

/** The other node's answer; false if the grant has ended. */
async function holds(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return false;
    throw error;
  }
}
