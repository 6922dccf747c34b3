import { insertTestMember, type RunningService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountErasure } from '../account/erasure-jobs.js';
import { endGrace } from '../test/end-grace.js';
import { startPeopleWorld } from '../test/people-world.js';
import { insertTestMachine } from '../test/test-machines.js';

const CALLBACK = 'https://wiki.example.com/callback';

const WIKI = { name: 'Wiki', type: 'web', redirectUris: [CALLBACK] };

const application = z.looseObject({
  id: z.int(),
  clientId: z.string(),
  scopes: z.array(z.string()),
  redirectUris: z.array(z.string()),
});

const answer = z.looseObject({
  data: z.unknown().optional(),
  secret: z.string().optional(),
  error: z
    .looseObject({ code: z.string(), issues: z.array(z.looseObject({ path: z.string() })).optional() })
    .optional(),
});

async function start() {
  const world = await startPeopleWorld();
  const { id: accountId, name, owner } = await world.account();
  const as = { token: owner.token, accountId };
  return { ...world, accountId, name, owner, as };
}

type World = Awaited<ReturnType<typeof start>>;

async function call(
  on: RunningService,
  as: { token: string; accountId: number },
  name: string,
  body: object,
) {
  const path = `/v1/${name.replace('.', '/')}`;
  const headers = { accountid: String(as.accountId) };
  const response = await on.send(path, { token: as.token, body, headers });
  return { ...answer.parse(await response.json()), status: response.status };
}

const save = async ({ service, as }: World, body: object) =>
  application.parse((await call(service, as, 'app.save', body)).data);

/** The paths of the fields that a call refuses. */
async function wrongIn({ service, as }: World, body: object): Promise<string[]> {
  const { error } = await call(service, as, 'app.save', body);
  expect(error?.code).toBe('invalid_input');
  return (error?.issues ?? []).map(({ path }) => path);
}

describe('an application of an account', () => {
  it('is registered, changed and removed by owners, and each step is in the audit log', async () => {
    await using world = await start();
    const { service, as, accountId, db } = world;
    const made = await save(world, WIKI);
    expect(made).toMatchObject({
      ...WIKI,
      scopes: ['openid'],
      resources: [],
      subjectType: 'public',
      active: true,
      machineId: null,
    });
    expect(made.clientId).toMatch(/^[\w-]{16,64}$/);
    const changed = await save(world, {
      applicationId: made.id,
      name: 'Wiki of Acme',
      scopes: ['openid', 'email', 'member.list', 'email'],
      resources: [service.services.config.BASE_URL],
    });
    expect(changed).toMatchObject({
      id: made.id,
      clientId: made.clientId,
      name: 'Wiki of Acme',
      redirectUris: [CALLBACK],
      scopes: ['openid', 'email', 'member.list'],
    });
    // Nothing changes, so nothing is recorded.
    await save(world, { applicationId: made.id, name: 'Wiki of Acme' });
    const { data: listed } = await call(service, as, 'app.list', {});
    expect(listed).toMatchObject([changed]);
    expect((await call(service, as, 'app.remove', { applicationId: made.id })).status).toBe(200);
    expect((await call(service, as, 'app.remove', { applicationId: made.id })).error?.code).toBe('not_found');
    expect((await call(service, as, 'app.detail', { applicationId: made.id })).error?.code).toBe('not_found');
    const lines = await db.select().from(db.tables.auditLog);
    expect(
      lines
        .filter(({ action }) => action.startsWith('application.'))
        .map((line) => [line.action, line.accountId, line.subjectId]),
    ).toEqual([
      ['application.added', accountId, String(made.id)],
      ['application.changed', accountId, String(made.id)],
      ['application.removed', accountId, String(made.id)],
    ]);
  });

  it('is hidden from other accounts, and from roles below the owner', async () => {
    await using world = await start();
    const { service, accountId, db } = world;
    const { id: applicationId } = await save(world, WIKI);
    const { owner, id } = await world.account();
    const foreign = { token: owner.token, accountId: id };
    for (const name of ['app.detail', 'app.remove', 'app.addSecret'])
      expect([name, (await call(service, foreign, name, { applicationId })).error?.code]).toEqual([
        name,
        'not_found',
      ]);
    expect((await call(service, foreign, 'app.save', { applicationId, name: 'X' })).error?.code).toBe(
      'not_found',
    );
    for (const role of [2, 3, 4, 5, 6]) {
      const { token } = await insertTestMember(db, { isConfirmed: true, memberships: { [accountId]: role } });
      const { error } = await call(service, { token, accountId }, 'app.list', {});
      expect([role, error?.code]).toEqual([role, 'permission_denied']);
    }
  });

  it('has at most two secrets, only if its type can keep one, and each is shown once', async () => {
    await using world = await start();
    const { service, as, db } = world;
    const { id: applicationId } = await save(world, WIKI);
    const add = () => call(service, as, 'app.addSecret', { applicationId });
    const first = await add();
    expect(first.secret).toMatch(/^gthc_[0-9A-Za-z]{39}$/);
    await add();
    expect((await add()).error?.code).toBe('limit_reached');
    const detail = await call(service, as, 'app.detail', { applicationId });
    expect(detail.data).toMatchObject({
      secrets: [{ start: first.secret?.slice(0, 12), lastUsedAt: null }, { lastUsedAt: null }],
    });
    expect(JSON.stringify([detail, await db.select().from(db.tables.applicationSecrets)])).not.toContain(
      first.secret,
    );
    const { id: secretId } = z.looseObject({ id: z.int() }).parse(first.data);
    const remove = () => call(service, as, 'app.removeSecret', { applicationId, secretId });
    expect((await remove()).status).toBe(200);
    expect((await remove()).error?.code).toBe('not_found');
    expect((await add()).status).toBe(200);

    for (const type of ['spa', 'native']) {
      const { id } = await save(world, { ...WIKI, type });
      const { error } = await call(service, as, 'app.addSecret', { applicationId: id });
      expect([type, error?.code]).toEqual([type, 'invalid_input']);
    }
  });

  it('is refused with the field that is wrong', async () => {
    await using world = await start();
    const { owner, accountId, db } = world;
    expect(await wrongIn(world, {})).toEqual(['name', 'type']);
    expect(await wrongIn(world, { ...WIKI, redirectUris: [] })).toEqual(['redirectUris']);
    const origin = new URL(world.service.services.config.BASE_URL).origin;
    const uris = [CALLBACK, 'http://wiki.example.com/callback', `${origin}/callback`, `${CALLBACK}#x`];
    expect(await wrongIn(world, { ...WIKI, redirectUris: uris })).toEqual([
      'redirectUris.1',
      'redirectUris.2',
      'redirectUris.3',
    ]);
    expect(await wrongIn(world, { ...WIKI, postLogoutRedirectUris: ['com.example.wiki:/'] })).toEqual([
      'postLogoutRedirectUris.0',
    ]);
    expect(await wrongIn(world, { ...WIKI, backchannelLogoutUri: 'ftp://wiki.example.com' })).toEqual([
      'backchannelLogoutUri',
    ]);
    const scopes = ['openid', 'member.fly', 'key.manage', 'event.manage', 'app.manage'];
    expect(await wrongIn(world, { ...WIKI, scopes })).toEqual([1, 2, 3, 4].map((at) => `scopes.${at}`));
    expect(await wrongIn(world, { ...WIKI, resources: ['https://nobody.example'] })).toEqual(['resources.0']);
    const known = { ...WIKI, subjectType: 'pairwise', scopes: ['openid', 'read'] };
    expect(await wrongIn(world, known)).toEqual(['subjectType']);
    expect(await wrongIn(world, { name: 'Importer', type: 'machine' })).toEqual(['machineId']);
    expect(await wrongIn(world, { ...WIKI, machineId: 999_999 })).toEqual(['machineId', 'machineId']);
    const staffs = await insertTestMachine(db, { accountId: null, createdById: owner.id });
    expect(await wrongIn(world, { name: 'Importer', type: 'machine', machineId: staffs })).toEqual([
      'machineId',
    ]);
    const machineId = await insertTestMachine(db, { accountId, createdById: owner.id });
    const machine = await save(world, { name: 'Importer', type: 'machine', machineId });
    expect(machine['machineId']).toBe(machineId);
    expect(
      await wrongIn(world, { applicationId: machine.id, type: 'web', redirectUris: [CALLBACK] }),
    ).toEqual(['type']);
  });

  it('is refused when there are fifty, even when two are registered concurrently', async () => {
    await using world = await start();
    const { service, as } = world;
    for (let at = 0; at < 49; at += 1) await save(world, WIKI);
    const last = await Promise.all([1, 2].map(() => call(service, as, 'app.save', WIKI)));
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await call(service, as, 'app.save', WIKI)).error?.code).toBe('limit_reached');
  });

  it('is erased with its account, even if it was removed before, and others are not', async () => {
    await using world = await start();
    const { service, as, db, name } = world;
    const { id: applicationId } = await save(world, WIKI);
    await call(service, as, 'app.addSecret', { applicationId });
    const { id: removed } = await save(world, WIKI);
    await call(service, as, 'app.remove', { applicationId: removed });
    const { id, owner } = await world.account();
    const other = { token: owner.token, accountId: id };
    expect((await call(service, other, 'app.save', WIKI)).status).toBe(200);
    expect((await call(service, as, 'account.close', { name })).status).toBe(200);
    // The owner is told first.
    for (const days of [28, 3]) {
      await endGrace(db, days * 86_400_000);
      while ((await accountErasure.run(service.services)) > 0);
    }
    const { applications, applicationSecrets } = db.tables;
    expect((await db.select().from(applications)).map((row) => row.accountId)).toEqual([id]);
    expect(await db.select().from(applicationSecrets)).toEqual([]);
  });
});
