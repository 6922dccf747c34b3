import { PROVIDER_KEYS, simulatedClient } from '@gatehouse/simulator';
import { signIn } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { dumpDatabase } from '../test/dump-database.js';
import { createSocialBrowser } from '../test/social-browser.js';
import { startSocialWorld } from '../test/social-world.js';
import { connectionRenewal } from './renew-connection.js';

const dialect = inject('dialect');

it('no token, code or secret of a provider is in the database, the logs, an answer or an address', async () => {
  let now = Date.now();
  await using world = await startSocialWorld({ dialect, now: () => now });
  const { service, simulator } = world;
  const seen: string[] = [];

  for (const key of PROVIDER_KEYS) {
    const email = `${key}@rivera.test`;
    const end = await createSocialBrowser(service).visit(`/social/${key}`, { person: { email } });
    const signedIn = await service.send('/webauthenticate', {
      body: { social: true, token: end.searchParams.get('user') },
    });
    seen.push(end.href, await signedIn.text());

    const { token } = await signIn(service, 'owner@acme.test');
    const begun = await service.send('/auth/connections/start', { token, body: { provider: key } });
    const { url } = z.object({ url: z.string() }).parse(await begun.json());
    const back = await createSocialBrowser(service).visit(url, { person: { id: `42${key}`, email: '' } });
    // The tokens wait together with the identity.
    expectNothing(await dumpDatabase(service.database));
    const finished = await service.send('/auth/connections/finish', {
      token,
      body: { code: back.searchParams.get('code') },
    });
    expect([key, finished.status]).toEqual([key, 200]);
    seen.push(
      back.href,
      await finished.text(),
      await (await service.send('/auth/connections', { token })).text(),
    );
  }

  now += 60 * 86_400_000 - 60_000;
  while ((await connectionRenewal.run(service.services)) > 0);
  simulator.tell('google', { token: 'wrongTypes' });
  simulator.tell('linkedin', { profile: 'refuse' });
  for (const key of ['google', 'linkedin']) {
    seen.push((await createSocialBrowser(service).visit(`/social/${key}`)).href);
  }

  expect(simulator.issued.length).toBeGreaterThan(40);
  expectNothing(await dumpDatabase(service.database));
  expectNothing(service.logLines.join('\n'));
  expectNothing(seen.join('\n'));
  const { socialConnections } = service.database.tables;
  const rows = await service.database.select().from(socialConnections);
  expect(rows).toHaveLength(12);
  for (const { accessToken } of rows) expect(accessToken).toMatch(/^v1\.[0-9a-f]{16}\./);

  function expectNothing(text: string): void {
    expect(text.length).toBeGreaterThan(0);
    const secrets = [...simulator.issued, ...PROVIDER_KEYS.map((key) => simulatedClient(key).secret)];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});
