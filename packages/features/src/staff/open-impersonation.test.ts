import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { type RunningService, type TestMember, unsettled } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  type ImpersonationWorld,
  type Started,
  startImpersonationWorld,
} from '../test/impersonation-world.js';

const MINUTE_MS = 60_000;

const FOREIGN = 'http://evil.test';

const OWN = 'gatehouse-dev';

const ACTING = 'gatehouse-dev-acting';

/** The headers that a script of our own page sends. */
const PAGE = { 'x-gatehouse-client': 'cookie', 'sec-fetch-site': 'same-origin' };

type Headers = Record<string, string>;

const ticketIn = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('ticket') ?? '';

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  readonly cookies: readonly string[];
}

async function answered(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as { error?: { code?: string } }) : {};
  return { status: response.status, code: body.error?.code, text, cookies: response.headers.getSetCookie() };
}

const open = async (on: RunningService, ticket: string, headers: Headers = PAGE): Promise<Answer> =>
  answered(await on.send('/v1/impersonation/open', { headers, body: { ticket } }));

/** The cookies that an answer sets, as a browser sends them back. */
const sentBack = ({ cookies }: Answer): string =>
  cookies
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');

const ends = (name: string): unknown => expect.stringMatching(new RegExp(`^${name}=; Max-Age=0; `));

async function idAt(on: RunningService, cookie: string): Promise<number> {
  const { status, text } = await answered(await on.send('/auth/me', { headers: { ...PAGE, cookie } }));
  return status === 200 ? (JSON.parse(text) as { member: { id: number } }).member.id : -status;
}

async function began(
  world: ImpersonationWorld,
  memberId: number,
  { as = world.root, ...more }: { as?: TestMember } & Record<string, unknown> = {},
): Promise<Started & { readonly ticket: string }> {
  const started = await world.start(as, { memberId, ...more });
  expect(started.status).toBe(200);
  return { ...started, ticket: ticketIn(started.url) };
}

describe('the link of an impersonation to the portal', () => {
  it('says who would act for whom without being used up, and nothing once it is used or expired', async () => {
    await using world = await startImpersonationWorld();
    const { main, other } = world;
    const subject = await world.member();
    const detailsOf = async (on: RunningService, ticket: string) =>
      answered(await on.send('/v1/impersonation/details', { body: { ticket } }));
    const started = await began(world, subject.id);
    for (const on of [main, other]) {
      const { status, text } = await detailsOf(on, started.ticket);
      expect([status, JSON.parse(text)]).toEqual([
        200,
        expect.objectContaining({
          actorName: 'Test Member',
          memberName: 'Test Member',
          readOnly: true,
          expiresAt: started.expiresAt,
        }),
      ]);
    }
    expect((await detailsOf(main, started.token)).code).toBe('invalid_token');
    expect((await open(main, started.ticket)).status).toBe(200);
    expect((await detailsOf(other, started.ticket)).code).toBe('invalid_token');
  });

  it('opens its session in a browser, in a separate cookie that no script reads', async () => {
    await using world = await startImpersonationWorld();
    const { main, other, db } = world;
    const subject = await world.member();
    const started = await began(world, subject.id);
    const link = new URL(started.url);
    expect([link.origin, link.pathname, link.search]).toEqual([
      new URL(main.services.config.BASE_URL).origin,
      '/portal/impersonate',
      '',
    ]);
    const opened = await open(main, started.ticket);
    expect([opened.status, opened.cookies]).toEqual([
      200,
      [expect.stringMatching(new RegExp(`^${ACTING}=[^;]+; Max-Age=\\d+; Path=/; HttpOnly; SameSite=Lax$`))],
    ]);
    expect(JSON.parse(opened.text)).toEqual({
      status: true,
      message: 'You are now acting for the member',
      data: {
        expiresAt: started.expiresAt,
        // The screen of the console where it began.
        back: expect.stringMatching(new RegExp(`/console/members/${subject.id}$`)),
      },
    });
    const cookie = sentBack(opened);
    expect([await idAt(main, cookie), await idAt(other, cookie)]).toEqual([subject.id, subject.id]);
    const rows = await db.select().from(db.tables.auditLog);
    expect(rows.find(({ action }) => action === 'impersonation.opened')).toMatchObject({
      actorId: world.root.id,
      onBehalfOfId: subject.id,
      subjectId: String(started.impersonationId),
    });
  });

  it('hides the session of the member who is signed in, which returns afterwards', async () => {
    await using world = await startImpersonationWorld();
    const { main } = world;
    const [subject, somebody] = await Promise.all([world.member(), world.member()]);
    const own = `${OWN}=${somebody.token}`;
    const { ticket } = await began(world, subject.id);
    const opened = await open(main, ticket, { ...PAGE, cookie: own });
    expect(opened.cookies).toHaveLength(1);
    const both = `${own}; ${sentBack(opened)}`;
    expect([await idAt(main, both), await idAt(main, own)]).toEqual([subject.id, somebody.id]);
    const ended = await answered(
      await main.send('/v1/session/end', { headers: { ...PAGE, cookie: both }, body: {} }),
    );
    expect([ended.status, ended.cookies]).toEqual([200, [ends(ACTING)]]);
    const late = await answered(await main.send('/auth/me', { headers: { ...PAGE, cookie: both } }));
    expect([late.status, late.cookies]).toEqual([401, [ends(ACTING)]]);
    expect(await idAt(main, own)).toBe(somebody.id);
  });

  it('is ended in the browser when a member signs in', async () => {
    await using world = await startImpersonationWorld();
    const { main } = world;
    const { ticket } = await began(world, (await world.member()).id);
    const cookie = sentBack(await open(main, ticket));
    const signedIn = await answered(
      await main.send('/v1/signIn/password', {
        headers: { ...PAGE, cookie },
        body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
      }),
    );
    expect([signedIn.status, signedIn.cookies.toSorted()]).toEqual([
      200,
      [ends(ACTING), expect.stringMatching(new RegExp(`^${OWN}=[^;]+`))],
    ]);
  });

  it('keeps its end time, however often its session is refreshed', async () => {
    await using world = await startImpersonationWorld();
    const { ticket, expiresAt } = await began(world, (await world.member()).id, { minutes: 10 });
    const cookie = sentBack(await open(world.main, ticket));
    world.wait(6 * MINUTE_MS);
    const refreshed = await answered(
      await world.main.send('/v1/session/refresh', { headers: { ...PAGE, cookie }, body: {} }),
    );
    expect(JSON.parse(refreshed.text)).toEqual({ status: true, data: { expiresAt } });
    expect([refreshed.cookies.length, sentBack(refreshed)]).toEqual([1, cookie]);
  });

  it('works once, however many use it concurrently on however many nodes', async () => {
    await using world = await startImpersonationWorld();
    const { main, other, db } = world;
    const subject = await world.member();
    const { ticket } = await began(world, subject.id);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, use) => open(use % 2 === 0 ? main : other, ticket)),
    );
    const [first, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(first && (await idAt(other, sentBack(first)))).toBe(subject.id);
    const refused = answers.filter((each) => each !== first);
    expect(refused.map(({ status, code, cookies }) => [status, code, cookies])).toEqual(
      Array.from({ length: 49 }, () => [403, 'invalid_token', []]),
    );
    const rows = await db.select().from(db.tables.auditLog);
    expect(rows.filter(({ action }) => action === 'impersonation.opened')).toHaveLength(1);
  });

  it('opens nothing after a minute, after its use, or if its session could not continue', async () => {
    await using world = await startImpersonationWorld();
    const { main, other, admin, db, manager } = world;
    const setRole = (memberId: number, roleType: number) =>
      changeAccess(db, { members: [memberId] }, (tx) =>
        setMemberRole(unsettled(tx), { memberId, roleType, role: 'Other', nowMs: world.nowMs() }),
      );
    interface Scene extends Started {
      readonly actor: TestMember;
      readonly subject: TestMember;
      readonly ticket: string;
    }
    const losses: Record<string, (scene: Scene) => Promise<unknown>> = {
      'a minute passed': () => Promise.resolve(world.wait(MINUTE_MS)),
      'it was used, in another browser': ({ ticket }) => open(other, ticket),
      'its starter ended it': ({ actor, impersonationId }) =>
        admin.send('/v1/impersonation/end', { token: actor.token, body: { impersonationId } }),
      'its starter began another': ({ actor, subject }) =>
        world.start(actor, { memberId: subject.id, accountId: 2 }),
      'its starter lost the role': ({ actor }) => setRole(actor.id, 5),
      'its starter was banned': ({ actor }) => setRole(actor.id, 11),
      'the member was banned': ({ subject }) => setRole(subject.id, 11),
      'the member ended it': ({ subject }) =>
        main.send('/auth/sessions/end', { token: subject.token, body: { others: true } }),
      'somebody ended its session': ({ token }) => main.send('/auth/logout', { token, method: 'POST' }),
    };
    for (const [name, lose] of Object.entries(losses)) {
      const actor = await world.member({ roleType: 6, isPersonnel: true, grants: [2] });
      const subject = await world.member({ memberships: { 2: 5 } });
      const started = await began(world, subject.id, { as: actor, accountId: 2 });
      await lose({ ...started, actor, subject });
      const { status, code, cookies } = await open(main, started.ticket);
      expect([name, status, code, cookies]).toEqual([name, 403, 'invalid_token', []]);
    }
    const used = await began(world, (await world.member({ memberships: { 2: 5 } })).id, {
      as: manager,
      accountId: 2,
    });
    expect((await open(main, used.ticket)).status).toBe(200);
    expect((await answered(await main.send('/auth/me', { token: used.token }))).status).toBe(200);
  });

  it('is accepted only from pages of the service, and only whole', async () => {
    await using world = await startImpersonationWorld();
    const { main, admin } = world;
    const { ticket, token } = await began(world, (await world.member()).id);
    const foreign: Record<string, Headers> = {
      'no page': {},
      'a page that does not say so': { 'sec-fetch-site': 'same-origin' },
      'a foreign page': { ...PAGE, 'sec-fetch-site': 'cross-site', origin: FOREIGN },
      'a page of the same site': { ...PAGE, 'sec-fetch-site': 'same-site' },
    };
    for (const [name, headers] of Object.entries(foreign)) {
      const { status, code, cookies } = await open(main, ticket, headers);
      expect([name, status, code, cookies]).toEqual([name, 403, 'origin_refused', []]);
    }
    const flipped = `${ticket.slice(0, 60)}${ticket[60] === 'a' ? 'b' : 'a'}${ticket.slice(61)}`;
    for (const wrong of ['', 'x', flipped, `${ticket}.x`, token, world.root.token]) {
      const { status, code } = await open(main, wrong);
      expect([status, code]).toEqual([403, 'invalid_token']);
    }
    for (const wrong of [null, 0, true, [], {}, [ticket], { ticket }])
      expect((await open(main, wrong as string)).status).toBe(400);
    expect((await open(admin, ticket)).status).toBe(404);
    const sent = [
      await main.send('/auth/me', { token: ticket }),
      await main.send('/auth/me', { bearer: ticket }),
      await main.send('/auth/me', { headers: { ...PAGE, cookie: `${ACTING}=${ticket}` } }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect((await open(main, ticket)).status).toBe(200);
    for (const lines of [main.logLines, admin.logLines]) expect(lines.join('')).not.toContain(ticket);
  });

  it('does not exist when the portal is off', async () => {
    await using world = await startImpersonationWorld({ PORTAL: 'off' });
    const { memberId } = { memberId: (await world.member()).id };
    const response = await world.admin.send('/v1/impersonation/start', {
      token: world.root.token,
      body: { memberId, reason: 'They cannot see their invoices' },
    });
    expect(await response.json()).toMatchObject({ url: null });
  });
});
