import { createApp } from '@gatehouse/api-main/app';
import { changeAccess, endMemberAccess, removeMember, removeMembership } from '@gatehouse/db';
import { startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { tokenOf } from '../test/token-of.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });

describe('GET /getUserdetail', () => {
  it('answers the member at each spelling of the path, without any secret', async () => {
    await using service = await start();
    const token = await tokenOf(service, 4);
    for (const path of ['/getUserdetail5', '/getUserdetail/5', '/GETUSERDETAIL5/', '/getuserdetail/5/']) {
      const response = await service.send(path, { token });
      expect(response.status, path).toBe(200);
      expect(await response.json()).toEqual({
        status: true,
        data: {
          id: 5,
          sid: 'contributor@acme.test',
          username: 'contributor.acme',
          firstName: 'Chiara',
          lastName: 'Novak',
          email: 'contributor@acme.test',
          role_type: 3,
          role: 'Contributor',
          emailVerified: true,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          accountRole: null,
          accountRoleLabel: null,
          customRoleId: null,
          isPrimaryOwner: null,
          joinedAt: null,
        },
      });
    }
  });

  it('refuses what is no id, and a path without one', async () => {
    await using service = await start();
    const token = await tokenOf(service, 1);
    for (const id of ['0', '-1', '1.5', '1e3', 'me', ':5', '5abc', '%2e', '99999999999999999999']) {
      expect((await service.send(`/getUserdetail${id}`, { token })).status, id).toBe(400);
    }
    expect((await service.send('/getUserdetail%ff', { token })).status).toBe(400);
    expect((await service.send('/getUserdetail', { token })).status).toBe(404);
    expect((await service.send('/getUserdetail5', { token, body: {} })).status).toBe(405);
  });

  it('loses sight of a member on the request after they leave the account, and of a deleted one', async () => {
    await using service = await start();
    const { database } = service;
    const token = await tokenOf(service, 4);
    const status = async (id: number) => (await service.send(`/getUserdetail${id}`, { token })).status;
    expect([await status(5), await status(6)]).toEqual([200, 200]);
    await changeAccess(database, { members: [5] }, (tx) =>
      removeMembership(tx, { memberId: 5, accountId: 1, nowMs: 1 }),
    );
    await changeAccess(database, { members: [6] }, async (tx) => {
      await endMemberAccess(tx, { memberId: 6, nowMs: 1 });
      await removeMember(tx, { memberId: 6, nowMs: 1 });
    });
    expect([await status(5), await status(6)]).toEqual([404, 404]);
    const root = await tokenOf(service, 1);
    expect((await service.send('/getUserdetail5', { token: root })).status).toBe(200);
    expect((await service.send('/getUserdetail6', { token: root })).status).toBe(404);
  });
});
