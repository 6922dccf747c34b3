import { PROVIDER_KEYS, ROBIN } from '@gatehouse/simulator';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createSocialBrowser } from '../test/social-browser.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');

const session = z.object({
  token: z.string(),
  userId: z.number(),
  role: z.number(),
  accountId: z.number().nullable(),
});

const me = z.object({
  member: z.object({
    id: z.number(),
    sid: z.string(),
    email: z.string().nullable(),
    emailVerified: z.boolean(),
    firstName: z.string(),
  }),
});

const GIVES_NO_ADDRESS: readonly string[] = ['twitter', 'tiktok'];
const VOUCHES: readonly string[] = ['google', 'github', 'linkedin'];

describe.each(PROVIDER_KEYS)('a sign-in with %s', (key) => {
  it('makes a member the first time, finds them the second, and ends in a session each time', async () => {
    await using world = await startSocialWorld({ dialect });
    const { service } = world;
    const userIds: number[] = [];
    for (const door of ['social', 'tempLogin']) {
      const end = await createSocialBrowser(service).visit(`/social/${key}`);
      expect(end.origin + end.pathname).toBe('http://app.gatehouse.test/socialAuth');
      expect([...end.searchParams.keys()]).toEqual(['user']);
      const body = { [door]: true, token: end.searchParams.get('user') };
      const first = await service.send('/webauthenticate', { body });
      expect(first.status).toBe(200);
      const { token, userId, role, accountId } = session.parse(await first.json());
      userIds.push(userId);
      expect({ role, accountId }).toEqual({ role: 5, accountId: 4 });

      const { member } = me.parse(await (await service.send('/auth/me', { token, accountId: 4 })).json());
      expect(member).toMatchObject({
        id: userId,
        firstName: VOUCHES.includes(key) && key !== 'github' ? 'Robin' : expect.stringMatching(/^Robin/),
        email: GIVES_NO_ADDRESS.includes(key) ? null : ROBIN.email,
        sid: GIVES_NO_ADDRESS.includes(key) ? `${key}:${ROBIN.id}` : ROBIN.email,
        emailVerified: VOUCHES.includes(key),
      });

      const second = await service.send('/webauthenticate', { body });
      expect(second.status).toBe(403);
      expect(await second.json()).toMatchObject({ error: { code: 'invalid_token' } });
    }
    expect(userIds).toEqual([12, 12]);
  });
});
