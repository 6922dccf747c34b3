import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { changeColumn } from '@gatehouse/features/test/change-column';
import {
  type ImpersonationWorld,
  REASON,
  startImpersonationWorld,
} from '@gatehouse/features/test/impersonation-world';
import { billingEnvironment } from '@gatehouse/simulator';
import { unsettled } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfNames, NAMES, screenShown, settle } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, useHand } from '../test/hands.js';
import { type OpenPortal, openPortal } from '../test/open-portal.js';
import { addMember } from '../test/people.js';
import { screensSignedIn } from '../test/screens-signed-in.js';
import { signInAs } from '../test/sign-in-as.js';

const dialect = inject('dialect');
const OWNER = { memberId: 3, accountId: 1 };
const MINUTE_MS = 60_000;
/** The buttons that may be pressed without changing anything. */
const HARMLESS =
  /^(End|Menu|Deutsch|Organization: .*|Show more|Try again|Copy.*|Show .*|Person|Role|Joined|Any role.*|Same as device.*)$/;

interface Scene extends AsyncDisposable {
  readonly portal: OpenPortal;
  readonly world: ImpersonationWorld;
}

/** The portal, and an admin service over its database. */
async function openScene(env: Readonly<Record<string, string>> = { CONSOLE: 'off' }): Promise<Scene> {
  const portal = await openPortal(dialect, billingEnvironment('http://127.0.0.1:9'));
  const url = new URL(portal.at('')).origin;
  const world = await startImpersonationWorld(
    { BASE_URL: url, APP_URL: url, ...env },
    portal.service.database,
  );
  return {
    portal,
    world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await portal[Symbol.asyncDispose]();
    },
  };
}

type Page = OpenPortal['page'];

const barOf = (page: Page) => page.getByRole('complementary', { name: 'Acting as a member' });

/** Agrees to act for the member, with the button of the page that the link opens. */
const agree = (page: Page) => page.getByRole('button', { name: /^Act as / }).click();

/** Follows the link, as from the console, and agrees. */
async function follow({ portal, world }: Scene, page: Page = portal.page, input: object = OWNER) {
  const started = await world.start(world.root, input);
  expect([started.status, started.code]).toEqual([200, undefined]);
  await page.goto(started.url);
  await agree(page);
  await barOf(page).waitFor();
  // Its own polling would notice an end that a test causes.
  await settle(page);
  return started;
}

/** A call of the page, as its scripts send it. */
const call = (page: Page, path: string, body: object) =>
  page.evaluate<string>(`(async () => {
    const headers = { 'content-type': 'application/json', 'x-gatehouse-client': 'cookie', accountid: '1' };
    const answer = await fetch('${path}', { method: 'POST', headers, body: '${JSON.stringify(body)}' });
    return answer.status + ' ' + ((await answer.json()).error?.code ?? '');
  })()`);

describe('a member’s pages, opened by staff who act for them', () => {
  it('say on every screen who acts, for whom, why and how long, and offer no change', {
    timeout: 300_000,
  }, async () => {
    await using scene = await openScene();
    const { page, complaints, at } = scene.portal;
    await follow(scene);
    expect(page.url()).toBe(at(''));
    const screens = await screensSignedIn(1);
    expect(screens).toEqual(expect.arrayContaining(['', 'a/1/team', 'a/1/billing', 'a/1/settings', 'you']));
    for (const screen of screens) {
      await page.goto(at(screen));
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await screenShown(page);
        await settle(page);
        const bar = barOf(page);
        // Beside the bar, all of the navigation stays in sight.
        if (width === 1280) {
          const side = await page.getByRole('banner').boundingBox();
          expect([screen, side?.y, side?.height]).toEqual([screen, 0, 800]);
        }
        expect([screen, await bar.textContent()]).toEqual([
          screen,
          expect.stringMatching(
            /^Test Member .*Olivia Marsh.*You can't change anything\. (29|30) minutes left, until/,
          ),
        ]);
        await bar.getByText(REASON).waitFor();
        await bar.getByRole('button', { name: 'End' }).waitFor();
        const pressed = await page
          .locator('button, [role=button], input:not([type=search]), select, textarea')
          .evaluateAll((all) =>
            all.map(
              (each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim() || each.tagName,
            ),
          );
        expect([screen, width, pressed.filter((name) => !HARMLESS.test(name))]).toEqual([screen, width, []]);
        expect([screen, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([
          screen,
          true,
        ]);
        expect([screen, await findingsOfAxe(page)]).toEqual([screen, []]);
      }
    }
    // At the end of a long page it is still in sight.
    await page.goto(at('a/1/team'));
    await screenShown(page);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect((await barOf(page).boundingBox())?.y).toBe(0);
    await barOf(page).getByRole('button', { name: 'End' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("are read-only, while another member's session waits in the browser and returns afterwards", async () => {
    await using scene = await openScene();
    const { portal } = scene;
    const { page, at, complaints, service } = portal;
    const somebody = await addMember(portal);
    await signInAs(portal, page, somebody.email);
    const { ticket, url } = await follow(scene).then((started) => ({
      ...started,
      ticket: new URL(started.url).hash,
    }));
    expect(page.url()).not.toContain('ticket');
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByText('owner@acme.test').waitFor({ state: 'attached' });
    expect(await page.getByText(somebody.email).count()).toBe(0);
    expect([
      await call(page, '/v1/subject/remove', { subjectId: 1 }),
      await call(page, '/v1/account/rename', { name: 'Other' }),
      await call(page, '/v1/session/list', {}),
    ]).toEqual(['403 read_only', '403 permission_denied', '200 ']);

    const other = await portal.newPage({ isOtherPerson: true });
    await other.goto(url);
    await other.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    expect(await findingsOfAxe(other)).toEqual([]);
    expect(other.url()).not.toContain(ticket);

    await page.goto(at('a/1/team'));
    await useHand(page, keyboard, dialect);
    await keyboard.press(barOf(page).getByRole('button', { name: 'End' }));
    await page.waitForURL(at(''));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText(somebody.email).waitFor();
    expect(await barOf(page).count()).toBe(0);
    const rows = await service.database.select().from(service.database.tables.sessions);
    const [session] = rows.filter(({ impersonationId }) => impersonationId !== null);
    expect(session?.endedAtMs).not.toBeNull();
    await page.reload();
    await page.getByText(somebody.email).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('end at the next request when their time is up or the staff member loses the role', async () => {
    await using scene = await openScene();
    const { portal, world } = scene;
    const { page } = portal;
    const look = () => page.evaluate("void dispatchEvent(new Event('visibilitychange'))");
    const isOver = async () => {
      await page.getByRole('heading', { name: 'The support session has ended' }).waitFor();
      expect(await page.getByText('owner@acme.test').count()).toBe(0);
      await page.getByRole('link', { name: 'Open the portal as yourself' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    };
    await follow(scene);
    await changeAccess(world.db, { members: [world.root.id] }, (tx) =>
      setMemberRole(unsettled(tx), {
        memberId: world.root.id,
        roleType: 5,
        role: 'Other',
        nowMs: world.nowMs(),
      }),
    );
    await look();
    await isOver();

    await changeAccess(world.db, { members: [world.root.id] }, (tx) =>
      setMemberRole(unsettled(tx), {
        memberId: world.root.id,
        roleType: 0,
        role: 'Admin',
        nowMs: world.nowMs(),
      }),
    );
    await follow(scene, page, { ...OWNER, minutes: 5 });
    portal.wait(5 * MINUTE_MS);
    await look();
    await isOver();
  });

  it('name both people and ask before they open, so that a forged link acts for nobody', async () => {
    await using scene = await openScene();
    const { portal, world } = scene;
    const { page, complaints } = portal;
    const somebody = await addMember(portal);
    await signInAs(portal, page, somebody.email);
    const { url } = await world.start(world.root, OWNER);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(url);
      await page.getByRole('heading', { name: 'Act as Olivia Marsh?' }).waitFor();
      await page.getByText('Test Member started this support session.').waitFor();
      expect([width, await findingsOfAxe(page)]).toEqual([width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'Leave this page' }).click();
    await page.getByText(somebody.email).waitFor();
    expect(await barOf(page).count()).toBe(0);
    const rows = await world.db.select().from(world.db.tables.auditLog);
    expect(rows.filter(({ action }) => action === 'impersonation.opened')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('open once the connection is back, and say so when a lost response had already used the link', async () => {
    await using scene = await openScene();
    const { portal, world } = scene;
    const { page } = portal;
    const open = '**/trpc/impersonation.open**';
    const { url } = await world.start(world.root, OWNER);
    await page.route(open, (route) => route.abort());
    await page.goto(url);
    await agree(page);
    await page.getByText('No answer arrived').waitFor();
    await page.unroute(open);
    await agree(page);
    await barOf(page).waitFor();

    const other = await portal.newPage({ isOtherPerson: true });
    await other.route(open, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await other.goto((await world.start(world.root, OWNER)).url);
    await agree(other);
    await other.getByText('No answer arrived').waitFor();
    await other.unroute(open);
    await agree(other);
    await other.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    const rows = await world.db.select().from(world.db.tables.auditLog);
    expect(rows.filter(({ action }) => action === 'impersonation.opened')).toHaveLength(2);
  });

  it('lead back to the page of the console from which they were opened', async () => {
    await using scene = await openScene({});
    const { page, at } = scene.portal;
    await follow(scene);
    await page.goto(at('you'));
    await barOf(page).getByRole('button', { name: 'End' }).click();
    await page.waitForURL(/\/console\/members\/3$/);
    const { sessions } = scene.world.db.tables;
    const rows = await scene.world.db.select().from(sessions);
    expect(rows.find(({ impersonationId }) => impersonationId !== null)?.endedAtMs).not.toBeNull();
  });

  it('show names and reasons as text', async () => {
    await using scene = await openScene();
    const { portal, world } = scene;
    const { page, complaints } = portal;
    const flaws: string[] = [];
    for (const name of [
      `${NAMES['markup and a tag of a message']}\u202E${'W'.repeat(150)}`,
      NAMES['overrides to the left, within an isolate and out of it'],
    ]) {
      for (const id of [world.root.id, OWNER.memberId]) {
        await changeColumn(world.db, { table: 'members', column: 'first_name', id }, name);
        await changeColumn(world.db, { table: 'members', column: 'last_name', id }, '');
      }
      await follow(scene, page, { ...OWNER, reason: `${name} is why` });
      await screenShown(page);
      await settle(page);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        flaws.push(...(await flawsOfNames(page, [name])));
        expect(await barOf(page).textContent()).toContain(`${name} is why`);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await barOf(page).getByRole('button', { name: 'End' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
    expect([flaws, complaints]).toEqual([[], []]);
  });
});
