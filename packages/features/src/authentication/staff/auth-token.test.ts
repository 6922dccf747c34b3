import { createApp } from '@gatehouse/api-admin/app';
import { dummyHash, sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

const DAY_MS = 86_400_000;

async function issue(world: StaffWorld, as: { token: string }): Promise<string> {
  const { status, body } = await world.send('/auth/apiToken', as, {});
  expect(status).toBe(200);
  return String(body['token']);
}

async function knock({ service }: Pick<StaffWorld, 'service'>, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await service.send('/me', { headers });
  if (response.status === 401) expect(await response.text()).toBe('unauthorized access');
  return response.status;
}

describe('an auth_token', () => {
  it('is accepted at GET /me with or without Bearer, over both transports, and is stored only as a digest', async () => {
    await using world = await startStaffWorld();
    const { manager, service } = world;
    const token = await issue(world, manager);
    for (const authorization of [token, `Bearer ${token}`, `bearer  ${token}`]) {
      const response = await service.send('/me', { headers: { authorization } });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ status: true, data: { id: manager.id, role_type: 6 } });
    }
    const trpc = await service.send('/trpc/session.byAuthToken', { bearer: token });
    expect(await trpc.json()).toMatchObject({ result: { data: { data: { id: manager.id } } } });
    const { members } = service.database.tables;
    const rows = await service.database.select({ digest: members.authTokenDigest }).from(members);
    expect(rows.filter(({ digest }) => digest !== null)).toEqual([{ digest: sha256Hex(token) }]);
    expect(service.logLines.join('\n')).not.toContain(token);
  });

  it('does not match an empty, missing, short, foreign or stored value', async () => {
    await using world = await startStaffWorld();
    const { manager, root } = world;
    const token = await issue(world, manager);
    const values = [
      undefined,
      '',
      ' ',
      'Bearer',
      'Bearer ',
      'null',
      'undefined',
      '0',
      'true',
      '[]',
      '{}',
      '%',
      '_',
      "' OR '1'='1",
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
      token.slice(4),
      `Basic ${token}`,
      `Bearer Bearer ${token}`,
      `${token}, ${token}`,
      sha256Hex(token),
      `gat_${sha256Hex(token)}`,
      `gat_${'0'.repeat(64)}`,
      root.token,
      manager.token,
      `Bearer ${manager.token}`,
      'x'.repeat(12_000),
    ];
    for (const value of values) expect([value, await knock(world, value)]).toEqual([value, 401]);
    expect(await knock(world, token)).toBe(200);
  });

  it('is accepted only at GET /me', async () => {
    await using world = await startStaffWorld();
    const token = await issue(world, world.root);
    for (const path of ['/auth/me', '/getAccountsList', '/auth/sessions']) {
      expect((await world.service.send(path, { bearer: token })).status).toBe(401);
      expect((await world.service.send(path, { token })).status).toBe(401);
    }
  });

  it('is only for staff, and ends with the next one, the staff status, a ban, a deletion and a new password', async () => {
    await using world = await startStaffWorld();
    const { root, manager, member, service } = world;
    expect((await world.send('/auth/apiToken', member, {})).code).toBe('permission_denied');
    const first = await issue(world, manager);
    const second = await issue(world, manager);
    expect([await knock(world, first), await knock(world, second)]).toEqual([401, 200]);

    await changeAccess(service.database, {}, (tx) =>
      setPassword(tx, { memberId: manager.id, hash: dummyHash, nowMs: Date.now() }),
    );
    expect(await knock(world, second)).toBe(401);

    for (const name of ['member.ban', 'member.remove']) {
      const own = await insertTestMember(service.database, { roleType: 6, isPersonnel: true });
      const token = await issue(world, own);
      expect(await knock(world, token)).toBe(200);
      await world.call(name, { memberId: own.id }, root);
      expect([name, await knock(world, token)]).toEqual([name, 401]);
      await world.call('member.update', { memberId: own.id, roleType: 6 }, root);
      expect([name, await knock(world, token)]).toEqual([name, 401]);
    }
  });

  it('expires after 90 days', async () => {
    let now = Date.now();
    await using service = await startService(createApp, {
      dialect: inject('dialect'),
      application: 'admin',
      now: () => now,
    });
    const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
    const response = await service.send('/auth/apiToken', { token: root.token, body: {} });
    const { token, expiresAt } = (await response.json()) as { token: string; expiresAt: string };
    expect(Date.parse(expiresAt)).toBe(now + 90 * DAY_MS);
    now += 90 * DAY_MS - 1;
    expect(await knock({ service }, token)).toBe(200);
    now += 1;
    expect(await knock({ service }, token)).toBe(401);
  });
});
