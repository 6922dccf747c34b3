import { createApp } from '@gatehouse/api-main/app';
import { developmentEnvironment, type RunningService, readOutbox, startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';

const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

async function show(service: RunningService, path: string, fields?: Record<string, string>): Promise<string> {
  const sent = fields ? { body: new URLSearchParams(fields).toString(), headers } : {};
  return (await service.send(path, sent)).text();
}

it('the forms of our own pages leave the validation of an address to the service, and show its domain in Unicode', async () => {
  await using service = await startService(createApp, {
    dialect: inject('dialect'),
    application: 'web',
    env: developmentEnvironment(),
  });
  for (const path of ['/register', '/forgot', '/signIn']) {
    const page = await show(service, path);
    const [field] = /<input id="email"[^>]*>/.exec(page) ?? [];
    expect([path, field]).toEqual([
      path,
      expect.stringContaining('type="text" inputmode="email" autocapitalize="none" spellcheck="false"'),
    ]);
    expect(page).not.toContain('type="email"');
  }

  const person = { email: 'Ｚｏｅ＠ｂüｃｈｅｒ．ｔｅｓｔ', username: 'zoe', password: 'Copper-Meadow-17' };
  await show(service, '/registration', person);
  const mail = (await readOutbox(service)).find(({ kind }) => kind === 'activation');
  expect(mail?.to).toBe('zoe@xn--bcher-kva.test');
  const confirm = await show(service, `/confirm?token=${mail?.token}`);
  expect(confirm).toContain('<strong>zoe@bücher.test</strong>');

  const refused = await show(service, '/registration', { ...person, email: 'zoe at bücher' });
  expect(refused).toContain('must be an email address');
});
