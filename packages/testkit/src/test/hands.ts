import type { Page, Locator as Target } from 'playwright-core';
import { isStressRun } from '../rounds.js';
import type { TestDialect } from '../test-database.js';

/** How a person uses a page. */
export interface Hand {
  /** Presses a button, or follows a link. */
  press(target: Target): Promise<void>;
  /** Replaces the text of a field. */
  write(target: Target, text: string): Promise<void>;
  /** Chooses from a list by its words. */
  choose(target: Target, label: string): Promise<void>;
}

export const mouse: Hand = {
  press: (target) => target.click(),
  async write(target, text) {
    await target.click();
    await target.fill(text);
  },
  async choose(target, label) {
    await target.selectOption({ label });
  },
};

/** More than any screen has. */
const MAX_STOPS = 100;
const MAX_CHOICES = 50;

/** Presses Tab until a target has the focus. */
async function reach(target: Target): Promise<Page['keyboard']> {
  await target.waitFor();
  const page = target.page();
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    if ((await target.and(page.locator(':focus')).count()) === 1) return page.keyboard;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not lead to ${target.toString()}`);
}

/** Only keys: what Tab does not reach cannot be used. */
export const keyboard: Hand = {
  async press(target) {
    await (await reach(target)).press('Enter');
  },
  async write(target, text) {
    const keys = await reach(target);
    await keys.press('Control+A');
    await keys.type(text);
  },
  async choose(target, label) {
    const keys = await reach(target);
    await keys.press('Home');
    for (let choices = 0; choices < MAX_CHOICES; choices += 1) {
      if ((await target.locator('option:checked').textContent()) === label) return;
      await keys.press('ArrowDown');
    }
    throw new Error(`The keys do not lead to ${label}`);
  },
};

/** Set in the projects of a stress run that use each hand at the other width. */
const SWAPPED_WIDTHS = 'GATEHOUSE_SWAPPED_WIDTHS';

/**
 * Gives a page the width that goes with a hand: on one database the keyboard is used on a phone's and the mouse on a desk's, on
 * the other it is the other way round. A stress run does both on both.
 */
export async function useHand(page: Page, hand: Hand, dialect: TestDialect): Promise<Hand> {
  const isSwapped = process.env[SWAPPED_WIDTHS] === '1';
  const isNarrow = ((hand === keyboard) === (dialect === 'libsql')) !== isSwapped;
  await page.setViewportSize({ width: isNarrow ? 320 : 1280, height: 800 });
  return hand;
}

/**
 * The same by one hand after the other. The last one is used on both databases: in the suite the others are used only on the
 * embedded one, and in a stress run all of them on both.
 */
export function handsInTurn<Case>(dialect: TestDialect, cases: readonly Case[]): readonly Case[] {
  return dialect === 'libsql' || isStressRun() ? cases : cases.slice(-1);
}
