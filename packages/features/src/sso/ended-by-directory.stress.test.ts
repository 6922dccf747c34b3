import { randomUUID } from 'node:crypto';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { findPlace } from '@gatehouse/db/queries/scim-users';
import { printMeasurements, type RunningService, rounds, type TestMember } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { changeColumn } from '../test/change-column.js';
import type { ScimMethod } from '../test/directory-world.js';
import { insertTestScimToken } from '../test/insert-test-scim-token.js';
import { DOMAIN, type SsoWorld, startSsoWorld } from '../test/sso-world.js';

const ROUNDS = rounds({ suite: 20, stress: 1_000 });

/** The number of people who are signed in at once. Each loses access, and then all sign in again. */
const PEOPLE = 5;

/** How far the clock moves with each call of a directory or a provider, which may send 10 a second. */
const CALL_MS = 200;

/** Somebody of the account, with a session that began at its identity provider, and one that began with a password. */
interface Person {
  readonly member: TestMember;
  /** Their id at the identity provider. */
  readonly subject: string;
  readonly userId: string;
  token: string;
}

interface Ending {
  /** Whether it ends the sessions of all people at once. */
  readonly isForAll?: true;
  /** Whether sessions that began with a password lose the account too. */
  readonly endsPlace?: true;
  /** Takes the access away on a node. */
  take(place: Place, person: Person, at: { node: RunningService; round: number }): Promise<number>;
  /** Lets them sign in again. */
  restore?(place: Place, person: Person): Promise<number>;
}

interface Place {
  readonly world: SsoWorld;
  readonly directoryToken: string;
}

async function callDirectory(
  { world, directoryToken }: Place,
  node: RunningService,
  { method, path, body }: { method: ScimMethod; path: string; body?: object },
): Promise<number> {
  world.wait(CALL_MS);
  const response = await node.send(`/scim/v2/Users${path}`, {
    method,
    bearer: directoryToken,
    ...(body && { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

const active = (value: boolean) => ({ Operations: [{ op: 'replace', path: 'active', value }] });

async function sendLogoutToken({ world }: Place, node: RunningService, named: object): Promise<number> {
  const { idp, key } = world;
  world.wait(CALL_MS);
  const nowSeconds = Math.floor(node.services.now() / 1_000);
  idp.told.claims = {};
  const token = await idp.provider.issuer.buildToken({
    scopesOrTransform: (_, payload) => {
      for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const times = { iat: nowSeconds, exp: nowSeconds + 120 };
      Object.assign(payload, {
        iss: idp.issuer,
        aud: 'gatehouse',
        jti: randomUUID(),
        events,
        ...times,
        ...named,
      });
    },
  });
  const response = await fetch(`${node.url}/sso/oidc/${key}/backchannel`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function activate(
  { call, connectionId, owner, accountId, service }: SsoWorld,
  isOn: boolean,
  on = service,
): Promise<number> {
  const as = { token: await owner.signInAgain(), accountId };
  return (await call('sso.activate', { connectionId, active: isOn }, as, { on })).status;
}

/** Every way in which somebody's access ends from outside. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  'the directory removes the person': {
    endsPlace: true,
    take: (place, { userId }, { node, round }) =>
      round % 2 === 0
        ? callDirectory(place, node, { method: 'DELETE', path: `/${userId}` })
        : callDirectory(place, node, { method: 'PATCH', path: `/${userId}`, body: active(false) }),
    async restore(place, { member, userId }) {
      const { service } = place.world;
      const on = await callDirectory(place, service, {
        method: 'PATCH',
        path: `/${userId}`,
        body: active(true),
      });
      if (on !== 404) return on;
      return callDirectory(place, service, { method: 'POST', path: '', body: { userName: member.email } });
    },
  },
  'the owner switches the connection off': {
    isForAll: true,
    take: ({ world }, _, { node }) => activate(world, false, node),
    restore: ({ world }) => activate(world, true),
  },
  'the person signs out at the identity provider': {
    take: (place, { subject }, { node, round }) =>
      sendLogoutToken(place, node, round % 2 === 0 ? { sub: subject } : { sid: `session of ${subject}` }),
  },
};

async function makePerson(world: SsoWorld, subject: string): Promise<Person> {
  const { accountId, db } = world;
  const made = await world.member();
  const email = `${subject}@${DOMAIN}`;
  for (const column of ['email', 'email_key', 'sid', 'sid_key'])
    await changeColumn(db, { table: 'members', column, id: made.id }, email);
  await changeAccess(db, { members: [made.id] }, (tx) =>
    setMembership(tx, { memberId: made.id, accountId, roleType: 3, nowMs: Date.now() }),
  );
  const id = (await findPlace(db, { memberId: made.id, accountId }))?.id;
  return { member: { ...made, email }, subject, userId: `u${id}`, token: '' };
}

/** The account's answers to a session, over REST and tRPC at once. */
async function statusesOf(world: SsoWorld, node: RunningService, token: string): Promise<number[]> {
  const as = { token, accountId: world.accountId };
  const answers = await Promise.all([
    node.send('/auth/me', as),
    node.send('/trpc/member.list?input=%7B%7D', as),
    node.send('/v1/member/list', { ...as, body: {} }),
  ]);
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return answers.map(({ status }) => status);
}

const ALLOWED = [200, 200, 200];

/** Goes through the rounds of one way; returns the requests that came through after it. */
async function endAgainAndAgain(place: Place, people: readonly Person[], ending: Ending) {
  const { world } = place;
  const found = { rounds: 0, refused: 0, late: 0, wrong: [] as unknown[] };
  const signIn = async (person: Person) => {
    const { subject } = person;
    const email = `${subject}@${DOMAIN}`;
    person.token = await world.signIn({ sub: subject, email, sid: `session of ${subject}` });
  };
  while (found.rounds < ROUNDS) {
    for (const person of people)
      if (ending.isForAll === undefined || found.rounds === 0) await signIn(person);
    for (const person of people) {
      const { rounds: round } = found;
      const [node, other] = round % 4 < 2 ? [world.service, world.other] : [world.other, world.service];
      const ended = ending.isForAll ? people : [person];
      const tokens = ended.flatMap(({ token, member }) =>
        ending.endsPlace ? [token, member.token] : [token],
      );
      // The other node has just seen them, and remembers.
      const before = await Promise.all(tokens.map((token) => statusesOf(world, other, token)));
      if (before.flat().some((status) => status !== 200)) found.wrong.push([round, 'before', before]);
      const taken = await ending.take(place, person, { node, round });
      if (![200, 204].includes(taken)) found.wrong.push([round, 'the act', taken]);
      const after = await Promise.all(tokens.map((token) => statusesOf(world, other, token)));
      for (const status of after.flat())
        if (status === 401 || status === 403) found.refused += 1;
        else if (status === 200) found.late += 1;
        else found.wrong.push([round, 'after', status]);
      const bystander = people[(people.indexOf(person) + 1) % people.length];
      if (!ending.isForAll && bystander && person !== people.at(-1)) {
        const seen = await statusesOf(world, other, bystander.token);
        if (String(seen) !== String(ALLOWED)) found.wrong.push([round, 'bystander', seen]);
      }
      const restored = await ending.restore?.(place, person);
      if (![undefined, 200, 201].includes(restored)) found.wrong.push([round, 'restored', restored]);
      if (ending.isForAll) for (const each of people) await signIn(each);
      found.rounds += 1;
    }
  }
  return found;
}

it('the next request on another node is refused after access has ended from outside', async () => {
  const total = { rounds: 0, refused: 0, late: 0 };
  const startedAt = performance.now();
  for (const [name, ending] of Object.entries(ENDINGS)) {
    await using world = await startSsoWorld({ defaultRole: 3 }, { SOCIAL_VISITS_PER_ADDRESS: '100000' });
    const { accountId, owner } = world;
    const { token: directoryToken } = await insertTestScimToken(world.db, {
      accountId,
      createdById: owner.id,
    });
    const people: Person[] = [];
    for (let at = 0; at < PEOPLE; at += 1) people.push(await makePerson(world, `person${at}`));
    const { wrong, ...found } = await endAgainAndAgain({ world, directoryToken }, people, ending);
    expect([name, wrong.slice(0, 5), found.late]).toEqual([name, [], 0]);
    expect(found.refused).toBeGreaterThanOrEqual(3 * ROUNDS);
    for (const key of ['rounds', 'refused', 'late'] as const) total[key] += found[key];
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const ways = Object.keys(ENDINGS).length;
  printMeasurements(`access ended from outside (${inject('dialect')})`, { ways, ...total, seconds });
});
