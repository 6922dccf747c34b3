import { describe, expect, inject, it } from 'vitest';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');

describe('a person at GitHub whose list of addresses is refused', () => {
  it.each(['refuse', 'gateway404'] as const)('signs in without a verified address: %s', async (addresses) => {
    await using world = await startSocialWorld({ dialect });
    world.simulator.tell('github', { addresses });
    const { token } = await socialSession(world.service, 'github');
    const me = (await (await world.service.send('/auth/me', { token })).json()) as {
      member: { email: string | null; emailVerified: boolean };
    };
    expect(me.member).toMatchObject({ email: null, emailVerified: false });
    world.simulator.tell('github', { addresses: null });
    const again = await socialSession(world.service, 'github');
    expect(again.userId).toBeGreaterThan(0);
  });

  it.each(['null', 'wrongTypes', 'list'] as const)(
    'signs in without an address when the list contains none: %s',
    async (addresses) => {
      await using world = await startSocialWorld({ dialect });
      world.simulator.tell('github', { addresses });
      const { token } = await socialSession(world.service, 'github');
      const me = await (await world.service.send('/auth/me', { token })).json();
      expect(me).toMatchObject({ member: { email: null, emailVerified: false } });
    },
  );

  it.each(['error500', 'html', 'reset', 'rateLimit', 'empty', 'redirect', 'xml'] as const)(
    'is refused when GitHub fails, so that nobody becomes two members: %s',
    async (addresses) => {
      await using world = await startSocialWorld({ dialect });
      world.simulator.tell('github', { addresses });
      const end = await createSocialBrowser(world.service).visit('/social/github');
      expect(end.searchParams.get('error')).toBe('provider_failed');
    },
  );
});
