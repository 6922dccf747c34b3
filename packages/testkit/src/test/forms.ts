import { setTimeout } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isStressRun } from '../rounds.js';
import { type Hand, keyboard, mouse } from './hands.js';

type Tables = Database['tables'];

/** A service with pages in a browser. */
export interface FormWorld extends AsyncDisposable {
  readonly service: { readonly database: Database };
  newPage(options: { readonly isOtherPerson: true }): Promise<Page>;
}

/** A form, as a person uses it. */
export interface FormCase<World extends FormWorld> {
  /** Opens it. What it returns is needed for its other steps. */
  readonly open: (world: World, page: Page, hand: Hand) => Promise<unknown>;
  /** The typed text, by label; with the opened element if it depends on that. */
  readonly typed: (opened: never) => Readonly<Record<string, string>>;
  /** The words on the button that sends it. */
  readonly submit: string;
  /** Whether the last character that is typed sends it the first time. */
  readonly isSentWhenFull?: true;
  /** The procedure it calls. */
  readonly call: string;
  /** The label of a field that shows a refusal, and the field's name. */
  readonly refused?: { readonly label: string; readonly path: string };
  /** Whether the client repeats the call by itself, because it harms nobody. */
  readonly isRepeated?: true;
  /** What is shown when it was done. */
  readonly done: (page: Page) => Promise<unknown>;
  /** How often it was done. */
  readonly effects: (world: World, opened: never) => Promise<number>;
  /** Whether people who send it again want another one, such as a mail. */
  readonly isAnother?: true;
  /** Whether it leads to another site, and is done there. */
  readonly endsElsewhere?: true;
  /** What is shown if it is sent again after it was done and its answer was lost: the same unless this says otherwise. */
  readonly again?: (page: Page) => Promise<unknown>;
}

const WAIT_SECONDS = 61;

/** A refusal as tRPC sends it in a batch of one. */
function refusal(httpStatus: number, reason: string, more: object = {}) {
  const data = { code: 'X', httpStatus, reason, requestId: 'request-of-the-test', ...more };
  return {
    status: httpStatus,
    contentType: 'application/json',
    body: JSON.stringify([{ error: { message: reason, code: -32_000, data } }]),
  };
}

/** What happens to a call on its way. */
interface Wire {
  /** How many calls of the form were sent. */
  readonly sent: () => number;
  /** The fate of the next ones. */
  become(fate: (route: Route) => Promise<void>): void;
}

async function interpose(page: Page, call: string): Promise<Wire> {
  let sent = 0;
  let fate = (route: Route) => route.continue();
  await page.route('**/trpc/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (!pathname.endsWith(`/trpc/${call}`)) return route.continue();
    sent += 1;
    return fate(route);
  });
  return {
    sent: () => sent,
    become: (next) => {
      fate = next;
    },
  };
}

/** The button that sends it: of two with the same words the one in the dialog over the page. */
const buttonOf = (page: Page, { submit }: { readonly submit: string }) =>
  page.getByRole('button', { name: submit, exact: true }).last();

/** A field by its label, and whether it is a list to choose from. */
async function fieldOf(page: Page, label: string) {
  const field = page.getByLabel(label, { exact: true });
  await field.waitFor();
  return { field, isList: (await field.and(page.locator('select')).count()) === 1 };
}

async function fill(page: Page, hand: Hand, typed: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(typed)) {
    const { field, isList } = await fieldOf(page, label);
    await (isList ? hand.choose(field, text) : hand.write(field, text));
  }
}

/** The present values of the fields. */
async function shown(page: Page, typed: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const texts = Object.keys(typed).map(async (label) => {
    const { field, isList } = await fieldOf(page, label);
    const text = isList ? await field.locator('option:checked').textContent() : await field.inputValue();
    return [label, text ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

/** Sends a form by mouse through every kind of failure and then successfully. Returns how often its work was done. */
async function walkForm<World extends FormWorld>(
  world: World,
  page: Page,
  form: FormCase<World>,
): Promise<number> {
  const opened = (await form.open(world, page, mouse)) as never;
  const typed = form.typed(opened);
  const effects = () => form.effects(world, opened);
  const wire = await interpose(page, form.call);
  const button = buttonOf(page, form);
  const alert = page.getByRole('alert').last();
  const before = await effects();
  const hasKept = async (step: string) =>
    expect([step, await shown(page, typed), await effects()]).toEqual([step, typed, before]);

  // The answer takes some time while a person presses again and again; then the service is busy.
  let answer = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    answer = resolve;
  });
  wire.become(async (route) => {
    await isHeld;
    await route.fulfill(refusal(503, 'unavailable', { retryAfterSeconds: 30 }));
  });
  await fill(page, mouse, typed);
  if (form.isSentWhenFull !== true) await button.click();
  await expect.poll(wire.sent).toBe(1);
  expect(await button.getAttribute('aria-busy')).toBe('true');
  await button.click({ force: true });
  await button.press('Enter');
  const [first] = Object.keys(typed);
  if (first !== undefined) {
    const { field, isList } = await fieldOf(page, first);
    if (!isList) await field.press('Enter');
  }
  answer();
  await alert.getByText('The service is busy.').waitFor();
  await alert.getByText('request-of-the-test').waitFor();
  if (form.isRepeated !== true) expect(['slow', wire.sent()]).toEqual(['slow', 1]);
  await hasKept('503');

  wire.become((route) => route.fulfill(refusal(429, 'rate_limited', { retryAfterSeconds: WAIT_SECONDS })));
  await button.click();
  await alert.getByText(/Try again in (1:01|1:00|0:5\d)/).waitFor();
  await hasKept('429');

  if (form.refused !== undefined) {
    const { label, path } = form.refused;
    const issues = [{ path, message: 'must not be empty' }];
    wire.become((route) => route.fulfill(refusal(400, 'invalid_input', { issues })));
    await button.click();
    await page.getByText('Required', { exact: true }).waitFor();
    const field = page.getByLabel(label, { exact: true });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.and(page.locator(':focus')).count()).toBe(1);
    await hasKept('400');
  }

  const sent = wire.sent();
  wire.become((route) => route.abort('connectionreset'));
  await button.click();
  await alert.getByText('No answer arrived.').waitFor();
  if (form.isRepeated !== true) expect(['dropped', wire.sent()]).toEqual(['dropped', sent + 1]);
  await hasKept('dropped');

  wire.become((route) => route.continue());
  await page.context().setOffline(true);
  await button.click();
  await alert.getByText("You're offline. Nothing was sent").waitFor();
  await hasKept('offline');
  await page.context().setOffline(false);
  await page.getByText('No connection.').waitFor({ state: 'detached' });

  const last = wire.sent();
  await button.dblclick();
  await form.done(page);
  expect(['done', wire.sent()]).toEqual(['done', last + 1]);
  await page.unroute('**/trpc/**');
  return (await effects()) - before;
}

/**
 * Sends a form by keyboard alone on a phone; the answer is lost on its way back, and the form is sent once more. Returns how
 * often the action was done.
 */
async function loseAnswer<World extends FormWorld>(
  world: World,
  page: Page,
  form: FormCase<World>,
): Promise<number> {
  await page.setViewportSize({ width: 320, height: 800 });
  const opened = (await form.open(world, page, keyboard)) as never;
  const typed = form.typed(opened);
  const wire = await interpose(page, form.call);
  const button = buttonOf(page, form);
  const before = await form.effects(world, opened);
  let isLost = false;
  wire.become(async (route) => {
    if (isLost) return route.abort('connectionreset');
    isLost = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await fill(page, keyboard, typed);
  if (form.isSentWhenFull !== true) await keyboard.press(button);
  await page.getByRole('alert').last().getByText('No answer arrived.').waitFor();
  const done = form.endsElsewhere === true ? 0 : 1;
  expect([await shown(page, typed), await form.effects(world, opened)]).toEqual([typed, before + done]);
  wire.become((route) => route.continue());
  await keyboard.press(button);
  await (form.again ?? form.done)(page);
  await page.unroute('**/trpc/**');
  return (await form.effects(world, opened)) - before;
}

const DELAY_MS = 3_000;

/**
 * Sends a form whose answer takes three seconds, and presses again while it waits. Returns how often its work was done.
 */
async function awaitAnswer<World extends FormWorld>(
  world: World,
  page: Page,
  form: FormCase<World>,
): Promise<number> {
  const opened = (await form.open(world, page, mouse)) as never;
  const typed = form.typed(opened);
  const wire = await interpose(page, form.call);
  const button = buttonOf(page, form);
  const before = await form.effects(world, opened);
  await fill(page, mouse, typed);
  let isAnswered = false;
  wire.become(async (route) => {
    const response = await route.fetch();
    await setTimeout(DELAY_MS);
    isAnswered = true;
    await route.fulfill({ response });
  });
  await button.click();
  await expect.poll(wire.sent).toBe(1);
  for (const press of ['click', 'Enter', 'Space'])
    await (press === 'click' ? button.click({ force: true }) : button.press(press));
  expect([isAnswered, await button.getAttribute('aria-busy'), await shown(page, typed)]).toEqual([
    false,
    'true',
    typed,
  ]);
  await form.done(page);
  expect([isAnswered, wire.sent()]).toEqual([true, 1]);
  await page.unroute('**/trpc/**');
  return (await form.effects(world, opened)) - before;
}

/** How many rows of a table match. */
export async function countOf<Name extends keyof Tables>(
  { service: { database } }: FormWorld,
  table: Name,
  isSuch: (row: Tables[Name]['$inferSelect']) => boolean,
): Promise<number> {
  const rows = (await database.select().from(database.tables[table])) as Tables[Name]['$inferSelect'][];
  return rows.filter(isSuch).length;
}

/** A form whose later steps need the opened element. */
export function formCase<World extends FormWorld, Opened>(
  form: Omit<FormCase<World>, 'open' | 'typed' | 'effects'> & {
    readonly open: (world: World, page: Page, hand: Hand) => Promise<Opened>;
    readonly typed: (opened: Opened) => Readonly<Record<string, string>>;
    readonly effects: (world: World, opened: Opened) => Promise<number>;
  },
): FormCase<World> {
  return form;
}

/** In the suite each form goes one of two ways, in a stress run both. */
const inTurn = <Form>(forms: readonly Form[], turn: 0 | 1): readonly Form[] =>
  isStressRun() ? forms : forms.filter((_form, index) => index % 2 === turn);

/**
 * The tests of forms, at one service and a page for each.
 * @param slow the one whose answer takes its time
 */
export function walkForms<World extends FormWorld>(
  open: () => Promise<World>,
  forms: Readonly<Record<string, FormCase<World>>>,
  slow: string,
): void {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  it.each(inTurn(Object.entries(forms), 0))(
    'a form keeps what was typed, is sent once through every failure, and then works: %s',
    async (_name, form) => {
      const page = await world.newPage({ isOtherPerson: true });
      expect(await walkForm(world, page, form)).toBe(1);
      await page.context().close();
    },
  );

  it.each(inTurn(Object.entries(forms), 1))(
    'a form that was sent again takes effect once although its answer was lost: %s',
    async (_name, form) => {
      const page = await world.newPage({ isOtherPerson: true });
      expect(await loseAnswer(world, page, form)).toBe(form.isAnother === true ? 2 : 1);
      await page.context().close();
    },
  );

  it(`a form waits three seconds for an answer, keeps what was typed and is sent once: ${slow}`, async () => {
    const form = forms[slow];
    if (form === undefined) throw new Error(`There is no form ${slow}`);
    const page = await world.newPage({ isOtherPerson: true });
    expect(await awaitAnswer(world, page, form)).toBe(1);
    await page.context().close();
  });
}
