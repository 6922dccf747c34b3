import { describe, expect, inject, it } from 'vitest';
import { openConsole, PASSWORD, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');
const EMAIL = 'root@gatehouse.test';

describe('a staff member', () => {
  it('ends their other sessions and changes their names and their password, all on one screen', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    const signInElsewhere = async (password: string) => {
      const response = await service.send('/v1/signIn/password', { body: { email: EMAIL, password } });
      const { data } = (await response.json()) as { data?: { token: string } };
      return { status: response.status, token: data?.token };
    };
    const { token } = await signInElsewhere(PASSWORD);
    const me = async () => service.send('/v1/session/me', { token, body: {} });
    expect((await me()).status).toBe(200);

    await signInAs(console, EMAIL, 'mail');
    const own = page.getByRole('banner').getByRole('link').last();
    await own.click();
    await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('All your other sessions have ended.').waitFor();
    expect((await me()).status).toBe(401);

    await page.getByLabel('Last name').fill('Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Renamed · Admin$/).waitFor();

    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('Lantern-Harbor-43');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    expect((await signInElsewhere(PASSWORD)).status).toBe(401);
    expect((await signInElsewhere('Lantern-Harbor-43')).status).toBe(200);
    expect(complaints).toEqual([]);
  });
});
