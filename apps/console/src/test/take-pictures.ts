import { nodeReport, statisticsCounting } from '@gatehouse/features/staff/statistics-jobs';
import { closeSharedBrowser, DESK, PHONE, takePicture } from '@gatehouse/testkit/browser';
import { openConsole, signInAs } from './open-console.js';

/** Takes the pictures of the console that the documents show, from its build: `pnpm docs:pictures`. */

const SLOT_MS = 900_000;
const SLOTS_A_DAY = 96;
const DAYS = 28;
/** The number that locks a member for a while. */
const WRONG_PASSWORDS = 21;

const console = await openConsole('libsql', { NODE_ENV: 'test' });
try {
  const { page, at, service } = console;
  const { database, services } = service;
  await nodeReport.run(services);
  while ((await statisticsCounting.run(services)) > 0);
  await database.transaction((tx) => tx.insertMany(database.tables.statisticCounters, countsOfDays()));

  await page.setViewportSize(DESK);
  await signInAs(console, 'root@gatehouse.test');
  await takePicture(page, 'console-overview');
  for (let wrong = 0; wrong < WRONG_PASSWORDS; wrong += 1)
    await service.send('/v1/signIn/password', {
      body: { email: 'manager@acme.test', password: 'Wrong-Wrong-42' },
    });
  for (const [name, screen] of Object.entries({
    member: 'members/4',
    account: 'accounts/1',
    team: 'accounts/1/members',
  })) {
    await page.goto(at(screen));
    await takePicture(page, `console-${name}`);
  }

  await page.goto(at('members'));
  const boxes = page.locator('tbody').getByRole('checkbox');
  await boxes.nth(2).click();
  await boxes.nth(5).click({ modifiers: ['Shift'] });
  await takePicture(page, 'console-members');

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('acme');
  await page.getByRole('option', { name: /Acme Studio/ }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(page, 'console-palette-dark');

  await page.setViewportSize(PHONE);
  await page.goto(at('help?who=%234'));
  await takePicture(page, 'console-help-phone');
} finally {
  await console[Symbol.asyncDispose]();
  await closeSharedBrowser();
}

/** Four weeks of a small service: weekends are quiet. */
function countsOfDays() {
  // The service itself counts what happens now.
  const now = Math.floor(Date.now() / SLOT_MS) - 2;
  return Array.from({ length: DAYS }, (_, day) => {
    const slot = now - day * SLOTS_A_DAY;
    const isWeekend = [0, 6].includes(new Date(slot * SLOT_MS).getUTCDay());
    const counts = {
      loginOk: isWeekend ? 14 + ((day * 5) % 7) : 46 + ((day * 37) % 23),
      loginFailed: 2 + ((day * 5) % 6),
      signUp: isWeekend ? 1 : 2 + ((day * 11) % 8),
      seen: isWeekend ? 9 : 24 + ((day * 7) % 9),
    };
    return Object.entries(counts).map(([name, count]) => ({ accountId: 0, name, slot, count }));
  }).flat();
}
