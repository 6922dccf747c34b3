import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { createMainClient, memoryStore } from '../main.js';
import { createCookieJar } from '../test/cookie-jar.js';
import { createSessionView, type SessionState } from './session-view.js';

it('finds the session of a page that a server rendered, shows its member all the while, and hears that it ended', async () => {
  await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  const { url } = service;
  const jar = createCookieJar();
  const openPage = () => createMainClient({ url, session: 'cookie', store: memoryStore(), fetch: jar.fetch });
  const before = openPage();
  await before.signIn({ email: 'owner@acme.test', password: 'Lantern-Harbor-42' });
  const me = await before.api.session.me.query();

  const client = openPage();
  const view = createSessionView(client, { me });
  const seen: SessionState[] = [];
  const stop = view.subscribe(() => void seen.push(view.getState()));
  await expect.poll(() => [client.isSignedIn, seen.length > 0], { timeout: 10_000 }).toEqual([true, true]);
  expect(seen.map((state) => [state.isSignedIn, state.me?.member.id])).toEqual(
    seen.map(() => [true, me.member.id]),
  );
  await before.signOut();
  await client.api.session.me.query().catch(() => undefined);
  expect([view.getState().isSignedIn, view.getState().cause]).toEqual([false, 'refused']);
  stop();

  // A page that was kept after its session had ended.
  const stale = createSessionView(openPage(), { me });
  const stopStale = stale.subscribe(() => undefined);
  await expect.poll(() => stale.getState().isSignedIn, { timeout: 10_000 }).toBe(false);
  stopStale();
  // A server that found nobody is believed, and a page that was told nothing asks.
  const none = createSessionView(openPage(), { me: null });
  none.subscribe(() => undefined)();
  expect(none.getState().isSignedIn).toBe(false);
  const untold = createSessionView(openPage(), undefined);
  expect(untold.getState().isSignedIn).toBeUndefined();
  const stopUntold = untold.subscribe(() => undefined);
  await expect.poll(() => untold.getState().isSignedIn, { timeout: 10_000 }).toBe(false);
  stopUntold();
});
