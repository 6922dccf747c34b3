import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { routes } from './routes.js';

const dialect = inject('dialect');
const all = listProcedures(router);
const byName = new Map(all.map((each) => [each.name, each]));

describe('the surface of the main service', () => {
  it('declares a rule for every procedure', () => {
    const without = all.filter(({ rule }) => rule === undefined).map(({ name }) => name);
    expect(without).toEqual([]);
  });

  it('declares an output for every procedure, so that nothing leaves by accident', () => {
    const without = all.filter(({ hasOutput }) => !hasOutput).map(({ name }) => name);
    expect(without).toEqual([]);
  });

  it('requires no input over tRPC where REST requires none', async () => {
    const stricter = all.filter(
      ({ type, input }) =>
        type === 'query' && input?.safeParse({}).success && !input.safeParse(undefined).success,
    );
    expect(stricter.map(({ name }) => name)).toEqual([]);
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { token } = await signIn(service, 'owner@acme.test');
    const answers = await Promise.all(
      ['/trpc/member.list', '/getAllMemberslist'].map((path) => service.send(path, { token, accountId: 1 })),
    );
    const [overTrpc, overRest] = (await Promise.all(answers.map((answer) => answer.json()))) as [
      unknown,
      object,
    ];
    expect(overTrpc).toMatchObject({ result: { data: { data: Reflect.get(overRest, 'data') } } });
  });

  it('has a procedure for every row of the route table', () => {
    const missing = routes.filter((row) => row.kind === 'procedure' && !byName.has(row.call));
    expect(missing.map((row) => row.path)).toEqual([]);
  });

  it('refuses unauthenticated calls to every guarded procedure, over both transports, before it reads the input', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    for (const { name, type, rule } of all) {
      if (!rule || rule.who === 'anyone') continue;
      const expected = {
        member: 401,
        account: 401,
        staff: 401,
        root: 401,
        partner: 401,
        authToken: 401,
        bearer: 403,
      }[rule.who];
      const response = await service.send(`/trpc/${name}`, type === 'query' ? {} : { body: '{broken' });
      expect([name, response.status]).toEqual([name, expected]);
    }
    for (const row of routes) {
      if (row.kind !== 'procedure') continue;
      const rule = byName.get(row.call)?.rule;
      if (!rule || rule.who === 'anyone') continue;
      for (const method of row.methods) {
        const path = row.path.replaceAll(/:[A-Za-z]+/g, '1');
        const response = await service.send(path, {
          method,
          ...(method === 'POST' ? { body: '{broken' } : {}),
        });
        expect([row.path, response.status]).toEqual([row.path, rule.who === 'bearer' ? 403 : 401]);
      }
    }
  });
});
