import { createApp } from '@gatehouse/api-main/app';
import { recordDeletion } from '@gatehouse/db/queries/social-deletions';
import {
  developmentEnvironment,
  type RunningService,
  readOutbox,
  signIn,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { linkTo } from '../test/invitation-call.js';

const dialect = inject('dialect');

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
const ADA = { username: 'ada', email: 'ada@lovelace.test', password: 'Analytical-Engine-1843' };

/** Frequent English words that are none in German. */
const ENGLISH =
  /\b(?:the|you|your|and|or|is|to|of|with|this|not|please|password|sign|link expired|continue)\b/i;

/** What a page says: its title and text, without what people entered. */
function textOf(html: string): string {
  const [, main = ''] = /<main>(.*)<\/main>/s.exec(html) ?? [];
  return main
    .replaceAll(/<(?:strong|code|textarea)[^>]*>.*?<\/(?:strong|code|textarea)>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** Opens pages and sends their forms with a German browser, and collects what is not in German. */
function germanVisitor(service: RunningService) {
  const flaws: string[] = [];
  const note = async (what: string, response: Response): Promise<string> => {
    const html = await response.text();
    const found = ENGLISH.exec(textOf(html));
    if (!html.includes('<html lang="de">')) flaws.push(`${what}: not marked as German`);
    if (found !== null) flaws.push(`${what}: ${found[0]} in ${textOf(html)}`);
    return html;
  };
  return {
    flaws,
    open: async (path: string) => note(`GET ${path}`, await service.send(path, { headers: GERMAN })),
    send: async (path: string, fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams(fields).toString();
      const headers = { ...GERMAN, 'content-type': 'application/x-www-form-urlencoded' };
      const what = `POST ${path} ${Object.keys(fields).join()}`;
      return note(what, await service.send(path, { body, headers }));
    },
  };
}

async function newest(service: RunningService, kind: string): Promise<string> {
  const mail = (await readOutbox(service)).find((each) => each.kind === kind);
  expect([kind, mail?.token]).toEqual([kind, expect.stringMatching(/./)]);
  return mail?.token ?? '';
}

it('pages without scripts speak German to a browser that asks for it, whatever becomes of what is sent', async () => {
  await using service = await startService(createApp, {
    dialect,
    application: 'web',
    env: {
      ...developmentEnvironment(),
      PORTAL: 'off',
      GOOGLE_CLIENT_ID: 'made-up',
      GOOGLE_CLIENT_SECRET: 'a-made-up-secret-of-google',
      FACEBOOK_CLIENT_ID: 'made-up',
      FACEBOOK_CLIENT_SECRET: 'a-made-up-secret-of-facebook',
    },
  });
  const { open, send, flaws } = germanVisitor(service);
  for (const path of ['/forgot', '/register', '/signIn', '/socialAuth', '/billing']) await open(path);
  for (const query of [
    'user=x&connected=google',
    'code=x&provider=google',
    'error=provider_failed',
    'error=x',
  ])
    await open(`/socialAuth?${query}`);
  for (const page of ['confirm', 'reset', 'restore', 'invitation', 'email-approval', 'recovery']) {
    await open(`/${page}?token=x`);
    await send(`/${page}`, { token: 'x' });
  }
  await send('/socialAuth', { user: 'x' });
  await send('/socialAuth', { code: 'x', session: 'x' });

  await send('/registration', { email: 'x', username: 'a\u200bb', password: 'short' });
  await send('/registration', { email: ADA.email, username: 'ada', password: 'password1' });
  await send('/registration', ADA);
  await send('/registration', ADA);
  const activation = await newest(service, 'activation');
  await open(`/confirm?token=${activation}`);
  await send('/confirm', { token: activation, password: 'Wrong-Wrong-42' });
  await send('/confirm', { token: activation, password: ADA.password });
  await open(`/confirm?token=${activation}`);

  await send('/signIn', { email: ADA.email });
  await send('/signIn', { code: '00000000' });
  await send('/signIn', { challenge: 'x', totp: '000000' });
  await send('/forgot', { email: ADA.email });
  const reset = await newest(service, 'passwordReset');
  await open(`/reset?token=${reset}`);
  await send('/reset', { token: reset, password: 'short' });
  await send('/reset', { token: reset, password: ADA.password });

  const { token: session } = await signInByPassword(service, ADA.email, ADA.password);
  const changed = await service.send('/v1/email/change', {
    token: session,
    body: { email: 'ada@elsewhere.test' },
  });
  expect(changed.status).toBe(200);
  const approval = await newest(service, 'addressApproval');
  await open(`/email-approval?token=${approval}`);
  await send('/email-approval', { token: approval, approve: 'true', password: 'Wrong-Wrong-42' });
  await send('/email-approval', { token: approval, approve: 'true' });
  await open(`/email-approval?token=${approval}`);
  await send('/email-approval', { token: approval, approve: 'false', password: ADA.password });
  await open(`/email-approval?token=${approval}`);

  const { token: owner } = await signIn(service, 'owner@acme.test');
  for (const email of ['new@x.test', ADA.email]) {
    const invited = await service.send('/v1/invitation/create', {
      token: owner,
      accountId: 1,
      body: { email, roleType: 5 },
    });
    expect(invited.status).toBe(200);
    const link = await linkTo(service, email);
    await open(`/invitation?token=${link}`);
    const fields = { token: link, email, username: '', password: 'short' };
    await send('/invitation', { ...fields, action: email === ADA.email ? 'accept' : 'join' });
    await send('/invitation', { token: link, action: 'decline' });
    await send('/invitation', { token: link, action: 'decline' });
  }

  const again = await signInByPassword(service, ADA.email, ADA.password);
  const deleted = await service.send('/v1/member/deleteOwn', {
    token: again.token,
    body: {},
  });
  expect(deleted.status).toBe(200);
  const restore = await newest(service, 'memberDeleted');
  await open(`/restore?token=${restore}`);
  await send('/restore', { token: restore });
  await send('/restore', { token: restore, password: 'Wrong-Wrong-42' });
  await send('/restore', { token: restore, password: ADA.password });
  await open(`/restore?token=${restore}`);

  const { services } = service;
  const nowMs = services.now();
  const deletion = { providerId: 1, personKey: 'x', code: 'made-up', nowMs };
  await services.db.transaction((tx) => recordDeletion(tx, deletion));
  await open('/social/facebook/dataDeletion/made-up');
  expect(flaws).toEqual([]);
});
