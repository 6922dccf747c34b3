import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertTestMember, printMeasurements, rounds, type TestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { expect, inject, it } from 'vitest';
import { callWith } from '../../test/access-token-world.js';
import {
  type OauthWorld,
  signInThrough,
  startOauthWorld,
  type TestApplication,
} from '../../test/oauth-world.js';

/** The kinds of tokens: for our own API, for userinfo, and each with a grant that outlives the session. */
const TOKENS = {
  api: { scopes: ['read'], isLasting: false },
  'lasting api': { scopes: ['read'], isLasting: true },
  userinfo: { scopes: ['openid', 'email'], isLasting: false },
  'lasting userinfo': { scopes: ['openid', 'email'], isLasting: true },
} as const;

type TokenKind = keyof typeof TOKENS;

interface Connection {
  readonly member: TestMember;
  readonly agent: TestApplication;
  readonly client: Awaited<ReturnType<OauthWorld['client']>>;
  readonly tokens: oauth.TokenEndpointResponse;
}

interface Ending {
  /** Which tokens it ends. */
  readonly of: readonly TokenKind[];
  /** Whether the whole grant ends, so that introspection and refresh know it no longer. */
  readonly endsGrant: boolean;
  take(world: OauthWorld, connection: Connection): Promise<unknown>;
}

const OF_API: readonly TokenKind[] = ['api', 'lasting api'];
const OF_SESSION: readonly TokenKind[] = ['api', 'userinfo'];
const ALL: readonly TokenKind[] = ['api', 'lasting api', 'userinfo', 'lasting userinfo'];

/** Every way in which the access of an application ends. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  'the member signs out': {
    of: OF_SESSION,
    endsGrant: true,
    take: ({ main }, { member }) =>
      succeed(main.send('/auth/logout', { token: member.token, method: 'POST' })),
  },
  'the member withdraws': {
    of: ALL,
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
    // Its secret is not known any more either, so it cannot ask, and its attempts would count as wrong secrets.
    endsGrant: false,
    take: (world, { agent }) => changeApplication(world, agent, { active: false }),
  },
  'the member is banned': {
    of: ALL,
    endsGrant: true,
    async take({ admin, root }, { member }) {
      const { status } = await callWith(admin, '/v1/member/ban', root.token, { memberId: member.id });
      if (status !== 200) throw new Error(`The ban answers ${status}`);
    },
  },
  'the application may no longer ask for the scope': {
    of: OF_API,
    endsGrant: false,
    take: (world, { agent }) => changeApplication(world, agent, { scopes: ['openid'] }),
  },
  'the member leaves the account': {
    of: OF_API,
    endsGrant: false,
    take: ({ main }, { member }) =>
      succeed(
        main.send('/v1/membership/leave', { token: member.token, body: {}, accountId: 1, method: 'POST' }),
      ),
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

async function connect(world: OauthWorld, kind: TokenKind): Promise<Connection> {
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

it('tokens of applications are refused on the next request, at another node, once their access has ended', {
  timeout: 1_800_000,
}, async () => {
  // The client here keeps spare connections, and may send a request on one in the moment in which it is closed.
  const patience = { HEADERS_TIMEOUT_MS: '600000', REQUEST_TIMEOUT_MS: '600000' };
  await using world = await startOauthWorld(Date.now, patience);
  const { main, other } = world;
  const total = rounds({ suite: 26, stress: 1_000 });
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
    const path = OF_API.includes(kind.token) ? '/v1/member/list' : '/oauth/userinfo';
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
    // Requests that are on their way do not answer for those that come after the change.
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

/** What the other node answers; false where the grant has ended. */
async function holds(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return false;
    throw error;
  }
}
