import { startStaffWorld } from '@gatehouse/features/test/staff-world';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { describe, expect, it } from 'vitest';
import { router } from './router.js';

describe('a REST path derived from the name of a procedure', () => {
  it('refuses unauthenticated calls to every guarded procedure, before it reads the input', async () => {
    await using world = await startStaffWorld();
    for (const { name, type, rule } of listProcedures(router)) {
      if (rule?.who === 'anyone') continue;
      const path = `/v1/${name.replace('.', '/')}`;
      for (const request of [{ body: '{broken' }, ...(type === 'query' ? [{}] : [])]) {
        const answer = await world.service.send(path, request);
        expect([path, answer.status]).toEqual([path, rule?.who === 'bearer' ? 403 : 401]);
      }
    }
  });

  it('answers with the envelope, and parses a query by the schema', async () => {
    await using world = await startStaffWorld();
    const posted = await world.send('/v1/session/listFor', world.root, { memberId: 4, limit: 1 });
    const read = await world.send('/v1/session/listFor?memberId=4&limit=1', world.root);
    expect(posted).toMatchObject({ status: 200, body: { status: true, data: [], page: { limit: 1 } } });
    expect(read).toEqual(posted);
  });

  it('ignores case and a trailing slash, and lists the methods that it allows', async () => {
    await using world = await startStaffWorld();
    const answer = await world.send('/V1/Audit/LIST/', world.root);
    expect(answer.status).toBe(200);
    const wrong = await world.service.send('/v1/member/ban', { token: world.root.token });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses unknown fields, and names them', async () => {
    await using world = await startStaffWorld();
    const body = { memberId: 4, reason: 'x', __proto__: undefined, role_type: 0 };
    const answer = await world.send('/v1/member/unlock', world.root, body);
    const { issues } = answer.body['error'] as { issues: { path: string }[] };
    expect([answer.status, answer.code, issues.map(({ path }) => path)]).toEqual([
      400,
      'invalid_input',
      ['reason', 'role_type'],
    ]);
    const inherited = await world.send('/v1/audit/list', world.root, '{"__proto__":{"a":1}}');
    expect(inherited.status).toBe(400);
    const query = await world.send('/v1/audit/list?since=x', world.root);
    expect(query.status).toBe(400);
  });

  it('uses the account in the header when the body names none, and refuses a different one', async () => {
    await using world = await startStaffWorld();
    const { root, service, member } = world;
    const call = (body: object, accountId?: number) =>
      service.send('/v1/membership/save', { token: root.token, accountId, body });
    const without = await call({ memberId: member.id, roleType: 3 }, 2);
    expect([without.status, await without.json()]).toMatchObject([
      200,
      { data: { accountId: 2, memberId: member.id, roleType: 3 } },
    ]);
    const other = await call({ memberId: member.id, roleType: 3, accountId: 1 }, 2);
    expect([other.status, await other.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_input', issues: [{ path: 'accountId' }] } },
    ]);
    const neither = await call({ memberId: member.id, roleType: 3 });
    expect(neither.status).toBe(400);
  });

  it('accepts only JSON', async () => {
    await using world = await startStaffWorld();
    const answer = await world.service.send('/v1/login/web', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=root%40gatehouse.test&password=Lantern-Harbor-42',
    });
    expect(answer.status).toBe(415);
  });
});
