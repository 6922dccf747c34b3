import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { findOpenRecovery } from '@gatehouse/db/queries/recoveries';
import { sealCancelToken } from '@gatehouse/features/authentication/recovery/close-recovery';
import { resetLink } from '@gatehouse/features/mail/app-link';
import { previewMails } from '@gatehouse/features/mail/preview-mails';
import { queueMail } from '@gatehouse/features/mail/queue-mail';
import { agreedAddresses } from '@gatehouse/features/registration/agree-to-address';
import { signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type OpenPortal, openPortal } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';
import { openRecovery } from '../test/recoveries.js';

const dialect = inject('dialect');
const LINK = /https?:\/\/[^\s"<>]+/g;

/** The links of every kind of mail we send, as its preview has them. */
const links = Object.entries(previewMails({ APP_URL: 'http://preview.test' }, 'en')).map(
  ([kind, { text }]) => ({ kind, links: text.match(LINK) ?? [] }),
);
const isOneUse = (link: string) => link.includes('made-up');
/** The kinds whose link is for one person alone. */
const ONE_USE = links.filter((mail) => mail.links.some(isOneUse)).map(({ kind }) => kind);
/** The other targets of mails, such as the request for a reset. */
const COMMON = new Set(
  links.flatMap((mail) => mail.links.filter((link) => !isOneUse(link))).map((link) => new URL(link).pathname),
);

async function post({ service }: OpenPortal, path: string, body: object, as: object = {}) {
  const answer = await service.send(path, { body, ...as });
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as Record<string, unknown>;
}

/** A member who requested another address, whose mailbox has agreed. */
async function addMover(portal: OpenPortal, moved: string) {
  const mover = await addMember(portal);
  await post(portal, '/v1/email/change', { email: moved }, mover);
  const activation = await tokenOf(portal, moved, 'activation');
  await post(portal, '/confirmationDetails', { token: activation });
  return mover;
}

async function tokenOf(portal: OpenPortal, to: string, kind: string): Promise<string> {
  return new URL((await mailTo(portal, to, kind)).link).searchParams.get('token') ?? '';
}

/** A real mail of each kind with a link for one person, to a person who is signed in elsewhere. Returns its link. */
const WRITTEN: Readonly<Record<string, (portal: OpenPortal) => Promise<string>>> = {
  async activation(portal) {
    const email = 'newcomer@x.test';
    await post(portal, '/register', { username: 'newcomer', email, password: 'Kiln-Orchard-77' });
    return (await mailTo(portal, email, 'activation')).link;
  },
  async addressAgreed(portal) {
    const { email } = await addMover(portal, 'second@else.test');
    const token = await tokenOf(portal, email, 'addressApproval');
    await post(portal, '/v1/email/approve', { token, approve: true });
    return (await mailTo(portal, email, 'addressAgreed')).link;
  },
  async addressApproval(portal) {
    const { email } = await addMover(portal, 'first@else.test');
    return (await mailTo(portal, email, 'addressApproval')).link;
  },
  async comeBack(portal) {
    const member = await addMember(portal);
    await post(portal, '/v1/member/deleteOwn', {}, member);
    await post(portal, '/forgotPassword', { email: member.email });
    return (await mailTo(portal, member.email, 'comeBack')).link;
  },
  async invitation(portal) {
    const { token } = await signIn(portal.service, 'owner@acme.test');
    const input = { email: 'invited@x.test', roleType: 3 };
    await post(portal, '/v1/invitation/create', input, { token, accountId: 1 });
    return (await mailTo(portal, 'invited@x.test', 'invitation')).link;
  },
  async memberDeleted(portal) {
    const member = await addMember(portal);
    await post(portal, '/v1/member/deleteOwn', {}, member);
    return (await mailTo(portal, member.email, 'memberDeleted')).link;
  },
  async passwordReset(portal) {
    const { email } = await addMember(portal);
    await post(portal, '/forgotPassword', { email });
    return (await mailTo(portal, email, 'passwordReset')).link;
  },
  async recovery(portal) {
    const { services, database } = portal.service;
    const { id } = await addMember(portal);
    await openRecovery(portal, id);
    const recovery = await findOpenRecovery(database, id);
    const token = recovery === undefined ? '' : sealCancelToken(services, recovery.id);
    return `${services.config.APP_URL}/recovery?${new URLSearchParams({ token }).toString()}`;
  },
  async signInCode(portal) {
    const { email } = await addMember(portal);
    await post(portal, '/v1/signIn/requestEmail', { email });
    return (await mailTo(portal, email, 'signInCode')).link;
  },
  async staffInvitation(portal) {
    const { services, database } = portal.service;
    const { id, email } = await addMember(portal);
    const address = await findMemberAddress(database, id);
    const link = resetLink(
      services,
      { id, email, passwordChangedAtMs: address?.passwordChangedAtMs ?? null },
      60,
    );
    await database.transaction((tx) =>
      queueMail(tx, services, {
        kind: 'staffInvitation',
        to: email,
        memberId: id,
        data: { link, hours: 72 },
      }),
    );
    return (await mailTo(portal, email, 'staffInvitation')).link;
  },
};

/** The address of each member, whether they are deleted, and the sessions of each, ended or not. */
async function standing({ service }: OpenPortal): Promise<string[]> {
  const { members, sessions } = service.database.tables;
  const people = await service.database.select().from(members);
  const rows = await service.database.select().from(sessions);
  return [
    ...people.map(({ id, email, isDeleted, sessionEpoch }) => `${id} ${email} ${isDeleted} ${sessionEpoch}`),
    ...rows.map(({ id, memberId }) => `session ${id} of ${memberId}`).toSorted(),
  ];
}

/** Opens a link in a browser without cookies, and presses one button after the other, each on a page just loaded. */
async function pressEverything(
  portal: OpenPortal,
  link: string,
  { hasScripts, afterEach }: { hasScripts: boolean; afterEach: (button: string) => Promise<void> },
): Promise<number> {
  const context = await portal.browser.newContext({ locale: 'en-US', javaScriptEnabled: hasScripts });
  let pressed = 0;
  for (let count = 1, at = 0; at < count; at += 1) {
    const page = await context.newPage();
    await page.goto(link, { waitUntil: 'networkidle' });
    await page.locator('h1').first().waitFor();
    const buttons = page.getByRole('button');
    count = Math.max(count, await buttons.count());
    const button = buttons.nth(at);
    if ((await button.count()) > 0) {
      const name = await button.textContent();
      await button.click();
      await page.waitForLoadState('networkidle');
      pressed += 1;
      await afterEach(`${link.replace(/token=.*/, '')} ${name}`);
    }
    await page.close();
  }
  await context.close();
  return pressed;
}

describe('a program that opens the links of mails and presses every button', () => {
  it('tries every kind of mail that has a link for one person', () => {
    expect(Object.keys(WRITTEN).toSorted()).toEqual(ONE_USE.toSorted());
  });

  it.each([true, false])(
    'changes no address, restores nobody, and signs nobody in or out (with scripts: %s)',
    { timeout: 600_000 },
    async (hasScripts) => {
      await using portal = await openPortal(dialect);
      const written: Record<string, string> = {};
      for (const kind of ONE_USE) written[kind] = (await WRITTEN[kind]?.(portal)) ?? '';
      const before = await standing(portal);
      const afterEach = async (button: string) => {
        await agreedAddresses.run(portal.service.services);
        expect([button, await standing(portal)]).toEqual([button, before]);
      };
      const pressed: Record<string, number> = {};
      for (const [kind, link] of Object.entries(written))
        pressed[kind] = await pressEverything(portal, link, { hasScripts, afterEach });
      for (const path of COMMON)
        await pressEverything(portal, `${portal.service.services.config.APP_URL}${path}`, {
          hasScripts,
          afterEach,
        });
      for (const kind of ['activation', 'addressAgreed', 'addressApproval', 'invitation', 'memberDeleted'])
        expect([kind, pressed[kind] ?? 0]).not.toEqual([kind, 0]);

      const token = new URL(written['invitation'] ?? '').searchParams.get('token');
      const person = { username: 'invited', password: 'Kiln-Orchard-77' };
      await post(portal, '/v1/invitation/join', { token, ...person });
    },
  );
});
