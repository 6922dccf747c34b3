import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertPasskey } from '@gatehouse/db/queries/member-passkeys';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { insertTestSso } from '@gatehouse/features/test/test-sso';
import { billingEnvironment } from '@gatehouse/simulator';
import { isStressRun, signIn } from '@gatehouse/testkit';
import { cut, flawsOfNames, NAMES, ODDEST_NAME, screenShown, settle } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { type OpenPortal, openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';
import { screensSignedIn } from '../test/screens-signed-in.js';
import { signInAs } from '../test/sign-in-as.js';

const dialect = inject('dialect');
const OWNER = 3;
const CONTRIBUTOR = 5;
const WIDTHS = [1280, 320];

const made = z.object({ data: z.looseObject({ id: z.int() }) });
/** A column to rename, and the length of the name. */
type Place = readonly [table: string, column: string, id: number, units: number, by?: string];

/** Everything with a name that the portal shows, and where the names are. */
async function furnish(portal: OpenPortal) {
  const { service, nowMs } = portal;
  const { database } = service;
  const { tables } = database;
  const call = async (token: string, path: string, body: object, accountId?: number): Promise<number> => {
    const answer = await service.send(`/v1/${path}`, {
      body,
      token,
      ...(accountId === undefined ? {} : { accountId }),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    const parsed = made.safeParse(await answer.json());
    return parsed.success ? parsed.data.data.id : 0;
  };
  const roleIn = async (token: string, accountId: number): Promise<number> => {
    await call(
      token,
      'role/save',
      { name: `Reader ${accountId}`, roleType: 5, permissions: ['account.read'] },
      accountId,
    );
    const rows = await database.select().from(tables.customRoles);
    return rows.find((row) => row.accountId === accountId)?.id ?? 0;
  };
  const owner = await signIn(service, 'owner@acme.test');
  const ownRole = await roleIn(owner.token, 1);
  const machine = await call(owner.token, 'machine/save', { name: 'Importer', roleType: 5 }, 1);
  const key = { machineId: machine, name: 'Production', scopes: ['account.read'] };
  const keyId = await call(owner.token, 'key/create', key, 1);
  const endpoint = { url: 'http://127.0.0.1:1024/', types: ['member.*'], description: 'Billing' };
  const endpointId = await call(owner.token, 'eventEndpoint/save', endpoint, 1);
  const application = { name: 'Wiki', type: 'web', redirectUris: ['https://wiki.example.com/callback'] };
  const applicationId = await call(owner.token, 'app/save', application, 1);
  const { id: connectionId } = await insertTestSso(database, { accountId: 1, createdById: OWNER });
  const closed = await call(owner.token, 'account/create', { name: 'Closed' });
  await call(owner.token, 'account/close', { name: 'Closed' }, closed);
  await changeAccess(database, { members: [CONTRIBUTOR], accounts: [1] }, (tx) =>
    setMembership(tx, {
      memberId: CONTRIBUTOR,
      accountId: 1,
      roleType: 5,
      customRoleId: ownRole,
      nowMs: nowMs(),
    }),
  );
  await call(owner.token, 'invitation/create', { email: 'new@x.test', customRoleId: ownRole }, 1);

  const newcomer = { email: 'odd@x.test', username: 'newcomer', password: PASSWORD };
  await service.send('/register', { body: newcomer });
  const [registered] = (await database.select().from(tables.members)).filter(
    ({ username }) => username === newcomer.username,
  );

  const other = await addMember(portal);
  const theirs = await call(other.token, 'account/create', { name: 'Theirs' });
  const theirRole = await roleIn(other.token, theirs);
  await call(other.token, 'invitation/create', { email: 'owner@acme.test', customRoleId: theirRole }, theirs);

  await changeAccess(database, { members: [OWNER] }, (tx) =>
    insertPasskey(tx, {
      memberId: OWNER,
      credentialKey: 'a'.repeat(64),
      credentialId: 'a',
      publicKey: 'a',
      rpId: 'localhost',
      counter: 0,
      userHandle: null,
      backupEligible: false,
      backedUp: false,
      transports: '',
      name: 'Phone',
      createdAtMs: nowMs(),
      lastUsedAtMs: null,
    }),
  );
  await database.insert(tables.partnerMembers, { partnerId: 1, memberId: OWNER, linkedAtMs: nowMs() });
  await database.insert(tables.socialConnections, {
    memberId: OWNER,
    providerId: 1,
    providerUserId: 'theirs',
    tokenStatus: 'valid',
    createdAtMs: nowMs(),
    updatedAtMs: nowMs(),
  });
  const people: Place[] = [OWNER, CONTRIBUTOR, other.id].flatMap((id) => [
    ['members', 'first_name', id, 255],
    ['members', 'last_name', id, 0],
  ]);
  const places: Place[] = [
    ...people,
    ...[1, 2, closed, theirs].map((id): Place => ['accounts', 'name', id, 255]),
    ['custom_roles', 'name', ownRole, 60],
    ['custom_roles', 'name', theirRole, 60],
    ['members', 'first_name', machine, 80],
    ['api_keys', 'name', keyId, 80],
    ['event_endpoints', 'description', endpointId, 200],
    ['applications', 'name', applicationId, 80],
    ['sso_connections', 'name', connectionId, 80],
    ['partners', 'name', 1, 128],
    ['passkeys', 'name', OWNER, 64, 'member_id'],
    ['sessions', 'device_name', OWNER, 64, 'member_id'],
    ['social_connections', 'display_name', OWNER, 255, 'member_id'],
    ['members', 'username', registered?.id ?? 0, 255],
  ];
  const members = [OWNER, CONTRIBUTOR, other.id, registered?.id ?? 0, machine];
  return (name: string) =>
    changeAccess(database, { members, accounts: [1, 2, closed, theirs] }, async (tx) => {
      for (const [table, column, id, units, by = 'id'] of places)
        await changeColumn(tx, { table, column, by, id }, cut(name, units));
    });
}

/** The length of the names on a screen for signed-in people. */
const SHOWN: Readonly<Record<string, readonly number[]>> = {
  '': [255, 60],
  'a/1': [255, 60],
  'a/1/team': [255, 60],
  'a/1/developers': [80],
  'a/1/developers/applications': [80],
  'a/1/developers/applications/1': [80],
  'a/1/developers/endpoints': [200],
  'a/1/settings': [60],
  'a/1/settings/directory': [80],
  'a/1/settings/directory/1': [80],
  'you/security': [64],
  'you/sessions': [64],
  'you/connections': [255],
  'you/partners': [128],
};

/** A dialog that shows a name: the screen, the button, the length of the name, and the menu that has the button. */
const QUESTIONS: readonly (readonly [string, RegExp, number, RegExp?])[] = [
  ['a/1/team', /^Change role/, 255, /^Actions for/],
  ['a/1/team', /^Transfer ownership/, 255, /^Actions for/],
  ['a/1/team', /^Remove/, 255, /^Actions for/],
  ['a/1/developers', /^Edit/, 80, /^Actions for/],
  ['a/1/developers', /^Remove/, 80, /^Actions for/],
  ['a/1/developers', /^Create key/, 80],
  ['a/1/developers/applications/1', /^Edit/, 80],
  ['a/1/developers/applications/1', /^Add client secret/, 80],
  ['a/1/developers/applications/1', /^Deactivate/, 80, /^More/],
  ['a/1/developers/applications/1', /^Remove/, 80, /^More/],
  ['a/1/settings', /^Close organization/, 255],
  ['a/1/settings', /^Edit/, 60, /^Actions for/],
  ['a/1/settings', /^Remove/, 60, /^Actions for/],
  ['a/1/settings/directory/1', /^Remove/, 80, /^More/],
  ['you/security', /^Remove/, 64],
  ['you/sessions', /^Rename/, 64],
  ['you/partners', /^Allow access to all/, 128],
  ['you/data', /^Delete my account/, 255],
];

/** A walk through all screens takes long, so only a stress run takes one for each name. */
const WALKS = isStressRun() ? NAMES : { 'markup, overrides and marks in one': ODDEST_NAME };

describe('names that a page could mistake for markup or code', () => {
  it.each(Object.entries(WALKS))(
    'are text on every screen: %s',
    { timeout: 300_000 },
    async (_what, name) => {
      await using portal = await openPortal(dialect, billingEnvironment('http://127.0.0.1:9'));
      const { page, at, complaints } = portal;
      const rename = await furnish(portal);
      await signInAs(portal, page, 'owner@acme.test');
      await rename(name);
      const flaws: string[] = [];
      const lookAt = async (screen: string, lengths: readonly number[]) => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const found = await flawsOfNames(
            page,
            lengths.map((units) => cut(name, units)),
          );
          flaws.push(...found.map((flaw) => `${screen || 'home'}, ${width} px: ${flaw}`));
        }
      };
      const open = async (screen: string) => {
        await page.goto(at(screen));
        await screenShown(page);
        await settle(page);
      };
      const main = page.getByRole('main');
      await expect
        .poll(async () => {
          await open('');
          return main.locator('h1').textContent();
        })
        .toContain(cut(name, 255).replace(/[\u2066-\u2069]/g, ''));
      for (const screen of await screensSignedIn(1)) {
        await open(screen);
        await lookAt(screen, SHOWN[screen] ?? []);
      }
      let shown = '';
      for (const [screen, button, units, menu] of QUESTIONS) {
        if (shown !== screen) await open(screen);
        shown = screen;
        await page.setViewportSize({ width: 1280, height: 800 });
        if (menu !== undefined) await main.getByRole('button', { name: menu }).first().click();
        await main.getByRole('button', { name: button }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.locator('form').waitFor();
        await settle(page);
        await lookAt(`${screen} ${button.source}`, [units, ...(SHOWN[screen] ?? [])]);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      const guest = await portal.newPage({ isOtherPerson: true });
      const linkOf = async (to: string, kind: string) => (await mailTo(portal, to, kind)).link;
      // Anybody can write a fragment into a link: approvals and restorations show no name of a member or an account.
      await guest.route('**/trpc/email.approvalDetails**', (route) =>
        route.fulfill({
          contentType: 'application/json',
          body: JSON.stringify([
            {
              result: {
                data: { change: { email: name, pendingEmail: name, effectiveAt: null }, isSignedIn: false },
              },
            },
          ]),
        }),
      );
      const own = new URLSearchParams({ sent: name, token: name, until: name });
      const only = (key: string) => new URLSearchParams({ [key]: own.get(key) ?? '' }).toString();
      for (const [link, lengths] of [
        [await linkOf('new@x.test', 'invitation'), [255, 60]],
        [await linkOf('odd@x.test', 'activation'), [255]],
        [at(`confirm#${only('sent')}`), [300]],
        [at(`email-approval#${only('token')}`), [300]],
        [at(`restore#${only('token')}`), []],
        [at(`restore#${only('until')}`), []],
      ] as const) {
        // A document whose fragment alone changes is not loaded again.
        await guest.goto('about:blank');
        await guest.goto(link);
        await screenShown(guest);
        await settle(guest);
        for (const width of WIDTHS) {
          await guest.setViewportSize({ width, height: 800 });
          const found = await flawsOfNames(
            guest,
            lengths.map((units) => cut(name, units)),
          );
          flaws.push(...found.map((flaw) => `${new URL(link).pathname}, ${width} px: ${flaw}`));
        }
      }
      expect([flaws, complaints]).toEqual([[], []]);
    },
  );
});
