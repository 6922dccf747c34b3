import { expect, it, vi } from 'vitest';
import { createMainClient, memoryStore } from './main.js';
import { createSessionView } from './session-view.js';

/** A token as a client reads it: when it was issued and ends. */
function tokenOf(memberId: number, serial: number): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { memberId, serial, iat, exp: iat + 3600 };
  return ['h', Buffer.from(JSON.stringify(claims)).toString('base64url'), 's'].join('.');
}

/** The store of a tab whose other tab writes into it, and a service that says who is signed in. */
function openTab(memberId: number | undefined, session: 'token' | 'cookie' = 'token') {
  let held = memberId === undefined ? null : tokenOf(memberId, 1);
  let hear: (() => void) | undefined;
  let isAway = false;
  const store = {
    get: () => held,
    set: (token: string | null) => {
      held = token;
    },
    subscribe: (listener: () => void) => {
      hear = listener;
      return () => undefined;
    },
  };
  const fetch = async (): Promise<Response> => {
    if (isAway) throw new TypeError('no network');
    const [, claims = ''] = (held ?? '').split('.');
    const { memberId: id } =
      session === 'cookie'
        ? { memberId: 3 }
        : (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { memberId: number });
    const me = { member: { id }, memberships: [], grants: [] };
    return Response.json([{ result: { data: me } }]);
  };
  const client = createMainClient({ url: 'http://service.test', session, store, fetch, refresh: false });
  return {
    view: createSessionView(client, undefined),
    writeElsewhere(token: string | null, { away = false } = {}) {
      isAway = away;
      held = token;
      hear?.();
    },
  };
}

it('the session view keeps its account, and shows who is signed in, while another tab refreshes the token', async () => {
  const { view, writeElsewhere } = openTab(3);
  view.subscribe(() => undefined);
  view.load();
  await vi.waitFor(() => expect(view.getState().me?.member.id).toBe(3));
  view.select(1);
  writeElsewhere(tokenOf(3, 2));
  expect(view.getState()).toMatchObject({ isSignedIn: true, selected: 1, me: { member: { id: 3 } } });
  await vi.waitFor(() => expect(view.getState().me?.member.id).toBe(3));
  expect(view.getState().selected).toBe(1);

  // Another member signs in there.
  writeElsewhere(tokenOf(4, 1));
  await vi.waitFor(() => expect(view.getState().me?.member.id).toBe(4));
  expect(view.getState()).toMatchObject({ cause: 'elsewhere', selected: undefined });
  writeElsewhere(null);
  expect(view.getState()).toMatchObject({ isSignedIn: false, me: undefined, selected: undefined });
});

it("the session view shows no member until the service says who signed in elsewhere, then that member's accounts", async () => {
  const { view, writeElsewhere } = openTab(3);
  view.subscribe(() => undefined);
  view.load();
  await vi.waitFor(() => expect(view.getState().me?.member.id).toBe(3));
  view.select(1);
  writeElsewhere(tokenOf(4, 1), { away: true });
  await vi.waitFor(() => expect(view.getState().error).toBeDefined(), { timeout: 20_000 });
  await vi.waitFor(() => expect(view.getState().me).toBeUndefined());
  writeElsewhere(tokenOf(4, 2));
  view.load();
  await vi.waitFor(() => expect(view.getState().me?.member.id).toBe(4));
  expect(view.getState().selected).toBeUndefined();
});

it.each(['token', 'cookie'] as const)(
  'the session view shows a sign-in that another tab stores before anything listens, with the session in a %s',
  async (session) => {
    const { view, writeElsewhere } = openTab(undefined, session);
    expect(view.getState().isSignedIn).toBe(session === 'token' ? false : undefined);
    const ends = { issuedAtMs: Date.now(), expiresAtMs: Date.now() + 3_600_000, signIn: 'there' };
    writeElsewhere(session === 'token' ? tokenOf(3, 1) : JSON.stringify(ends));
    view.subscribe(() => view.load());
    await vi.waitFor(() => expect(view.getState().me?.member.id).toBe(3));
    expect(view.getState()).toMatchObject({ isSignedIn: true, cause: 'elsewhere' });
  },
);

it('the session view is undecided until the service says whether the browser has a session, and asks again', async () => {
  let isAway = true;
  const fetch = async (input: URL | Request | string): Promise<Response> => {
    if (isAway) throw new TypeError('no network');
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const isRefresh = String(input instanceof Request ? input.url : input).includes('session.refresh');
    const data = isRefresh ? { data: { expiresAt } } : { member: { id: 3 }, memberships: [], grants: [] };
    return Response.json([{ result: { data } }]);
  };
  const client = createMainClient({
    url: 'http://service.test',
    session: 'cookie',
    store: memoryStore(),
    fetch,
    retry: false,
  });
  const view = createSessionView(client, undefined);
  view.subscribe(() => view.load());
  await vi.waitFor(() => expect(view.getState().error).toBeDefined());
  expect(view.getState().isSignedIn).toBeUndefined();
  await view.reload();
  expect(view.getState()).toMatchObject({ isSignedIn: undefined, me: undefined });
  isAway = false;
  await view.reload();
  expect(view.getState()).toMatchObject({ isSignedIn: true, error: undefined, me: { member: { id: 3 } } });
});
