import { createTestDatabase, seedTestDatabase, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });

describe('the first sign-in', () => {
  it('signs the owner in, lists the members of account 1, and refuses account 3', async () => {
    await using service = await start();
    const { token, userId, role, accountId } = await signIn(service, 'owner@acme.test');
    expect({ userId, role, accountId }).toEqual({ userId: 3, role: 1, accountId: 1 });

    const members = await service.send('/getAllMemberslist', { token, accountId: 1 });
    expect(members.status).toBe(200);
    const { status, data, page } = (await members.json()) as {
      status: boolean;
      data: { id: number }[];
      page: unknown;
    };
    expect(status).toBe(true);
    expect(data.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 10, 11]);
    expect(page).toEqual({ limit: 50, nextCursor: null });

    const refused = await service.send('/getAllMemberslist', { token, accountId: 3 });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ status: false, error: { code: 'account_forbidden' } });
  });

  it('revokes the token at logout, with the documented response, and refuses it after a restart too', async () => {
    await using own = await createTestDatabase(dialect);
    await seedTestDatabase(own.database);
    const options = { dialect, application: 'web', database: own.database } as const;
    let token: string;
    {
      await using service = await startService(createApp, options);
      ({ token } = await signIn(service, 'owner@acme.test'));
      expect((await service.send('/auth/me', { token })).status).toBe(200);
      const logout = await service.send('/auth/logout', { token, method: 'POST' });
      expect(await logout.json()).toEqual({ status: true, message: 'Signed out' });
      await expectDead(await service.send('/auth/me', { token }));
    }
    await using restarted = await startService(createApp, options);
    await expectDead(await restarted.send('/auth/me', { token }));
  });

  it('pages through the members without losing or repeating one', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ limit: '2', ...(cursor === null ? {} : { cursor }) });
      const response = await service.send(`/getAllMemberslist?${query}`, { token, accountId: 1 });
      const body = (await response.json()) as {
        data: { id: number }[];
        page: { limit: number; nextCursor: string | null };
      };
      expect(body.page.limit).toBe(2);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([3, 4, 5, 6, 7, 10, 11]);
  });
});

async function expectDead(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(await response.text()).toBe('unauthorized access');
}
