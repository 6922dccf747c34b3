import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { startPeopleWorld } from '../../test/people-world.js';
import { insertTestApplication } from '../../test/test-applications.js';
import { insertTestMachine } from '../../test/test-machines.js';

const dialect = inject('dialect');

const WIKI = { name: 'Wiki', type: 'web', redirectUris: ['https://wiki.example.com/callback'] };

const application = z.looseObject({ id: z.int(), clientId: z.string() });

const answer = z.looseObject({
  data: z.unknown().optional(),
  secret: z.string().optional(),
  error: z
    .looseObject({ code: z.string(), issues: z.array(z.looseObject({ path: z.string() })).optional() })
    .optional(),
});

async function start() {
  const world = await startPeopleWorld();
  const { db } = world;
  const admin = await startService(createAdminApp, { dialect, application: 'admin', database: db });
  const root = await insertTestMember(db, { isPersonnel: true, roleType: 0, isConfirmed: true });
  const call = async (name: string, body: object, { token }: { token: string } = root) => {
    const response = await admin.send(`/v1/platformApp/${name}`, { token, body });
    const { error, ...rest } = answer.parse(await response.json());
    const wrong = (error?.issues ?? []).map(({ path }) => path);
    return { ...rest, status: response.status, code: error?.code, wrong };
  };
  const save = async (body: object) => application.parse((await call('save', body)).data);
  /** The audit log of applications. */
  const recorded = async () =>
    (await db.select().from(db.tables.auditLog))
      .filter(({ action }) => action.startsWith('application.'))
      .map(({ action, accountId, subjectId }) => [action, accountId, subjectId]);
  return {
    people: world,
    account: () => world.account(),
    member: () => world.member(),
    db,
    root,
    call,
    save,
    recorded,
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The number of answers of each status. */
function counted(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('an application of the deployment', () => {
  it('is registered, changed and removed by root staff, and each step is in the audit log', async () => {
    await using world = await start();
    const { call, save, recorded } = world;
    const made = await save(WIKI);
    expect(made).toMatchObject({
      ...WIKI,
      active: true,
      blocked: false,
      skipConsent: false,
      pkceExempt: false,
    });
    const changed = await save({ applicationId: made.id, skipConsent: true, pkceExempt: true });
    expect(changed).toMatchObject({ ...made, skipConsent: true, pkceExempt: true });
    const { data: secret } = await call('addSecret', { applicationId: made.id });
    const { id: secretId } = z.looseObject({ id: z.int() }).parse(secret);
    expect((await call('detail', { applicationId: made.id })).data).toEqual({
      ...changed,
      secrets: [secret],
    });
    expect((await call('removeSecret', { applicationId: made.id, secretId })).status).toBe(200);
    expect((await call('list', {})).data).toEqual([changed]);
    expect((await call('remove', { applicationId: made.id })).status).toBe(200);
    expect((await call('remove', { applicationId: made.id })).code).toBe('not_found');
    expect((await call('list', {})).data).toEqual([]);
    const steps = ['added', 'changed', 'secret-added', 'secret-removed', 'removed'];
    expect(await recorded()).toEqual(steps.map((step) => [`application.${step}`, null, String(made.id)]));
  });

  it('may skip PKCE only as type web, and acts only as a machine of the staff', async () => {
    await using world = await start();
    const { call, save, db, root } = world;
    for (const type of ['spa', 'native'])
      expect((await call('save', { ...WIKI, type, pkceExempt: true })).wrong).toEqual(['pkceExempt']);
    const { id: accountId } = await world.account();
    const theirs = await insertTestMachine(db, { accountId, createdById: root.id });
    const importer = { name: 'Importer', type: 'machine' };
    expect((await call('save', { ...importer, machineId: theirs })).wrong).toEqual(['machineId']);
    const machineId = await insertTestMachine(db, { accountId: null, createdById: root.id });
    expect(await save({ ...importer, machineId })).toMatchObject({ machineId });
  });

  it('is refused when there are fifty, and has at most two secrets, even when several are made at once', async () => {
    await using world = await start();
    const { call, db, root } = world;
    for (let at = 0; at < 48; at += 1)
      await insertTestApplication(db, { accountId: null, createdById: root.id });
    const made = await Promise.all(Array.from({ length: 8 }, () => call('save', WIKI)));
    expect(counted(made)).toEqual({ 200: 2, 409: 6 });
    const { id: applicationId } = application.parse(made.find(({ status }) => status === 200)?.data);
    const secrets = await Promise.all(Array.from({ length: 8 }, () => call('addSecret', { applicationId })));
    expect(counted(secrets)).toEqual({ 200: 2, 409: 6 });
  });

  it('is hidden from other staff and from members', async () => {
    await using world = await start();
    const { call, save, db, member } = world;
    const { id: applicationId } = await save(WIKI);
    const manager = await insertTestMember(db, { isPersonnel: true, roleType: 6, isConfirmed: true });
    for (const as of [manager, await member()])
      for (const name of ['list', 'detail', 'save', 'remove', 'addSecret'])
        expect([name, (await call(name, { applicationId }, as)).status]).toEqual([name, 403]);
  });
});

describe('an application of an account', () => {
  async function startWithTheirs() {
    const world = await start();
    const { id: accountId, owner } = await world.account();
    const asOwner = { token: owner.token, accountId };
    const { data } = await world.people.call('app.save', WIKI, asOwner);
    return { ...world, accountId, asOwner, made: application.parse(data) };
  }

  it('never skips consent or PKCE, whatever its owner asks for', async () => {
    await using world = await startWithTheirs();
    const { people, db, accountId, asOwner, made } = world;
    for (const field of ['skipConsent', 'pkceExempt']) {
      const { code } = await people.call('app.save', { applicationId: made.id, [field]: true }, asOwner);
      expect([field, code]).toEqual([field, 'invalid_input']);
    }
    expect(made).not.toHaveProperty('skipConsent');
    const rows = await db.select().from(db.tables.applications);
    expect(rows).toMatchObject([{ accountId, skipConsent: false, pkceExempt: false }]);
  });

  it('can be seen, blocked and removed by root staff, and its owner cannot activate it while it is blocked', async () => {
    await using world = await startWithTheirs();
    const { people, call, recorded, accountId, asOwner, made } = world;
    const theirs = { accountId, applicationId: made.id };
    expect((await call('list', { accountId })).data).toMatchObject([made]);
    expect((await call('list', {})).data).toEqual([]);
    expect((await call('detail', theirs)).data).toMatchObject({ ...made, secrets: [] });

    const block = (blocked: boolean) => call('block', { ...theirs, blocked });
    expect((await block(true)).data).toMatchObject({ ...made, active: false, blocked: true });
    // Nothing changes, so nothing is recorded.
    expect((await block(true)).status).toBe(200);
    const set = (fields: object) => people.call('app.save', { applicationId: made.id, ...fields }, asOwner);
    const refused = await set({ active: true });
    expect([refused.code, refused.issues]).toEqual([
      'invalid_input',
      [{ path: 'active', message: 'The staff of the service have blocked this application' }],
    ]);
    expect((await set({ name: 'Renamed' })).data).toMatchObject({ active: false, blocked: true });
    expect((await block(false)).data).toMatchObject({ active: false, blocked: false });
    expect((await set({ active: true })).data).toMatchObject({ active: true, blocked: false });

    expect((await call('remove', theirs)).status).toBe(200);
    expect((await people.call('app.detail', { applicationId: made.id }, asOwner)).code).toBe('not_found');
    const steps = ['added', 'blocked', 'changed', 'allowed', 'changed', 'removed'];
    expect(await recorded()).toEqual(
      steps.map((step) => [`application.${step}`, accountId, String(made.id)]),
    );
  });

  it('is inactive once it is blocked, even if its owner activates it at the same time', async () => {
    await using world = await startWithTheirs();
    const { people, call, db, accountId, asOwner, made } = world;
    for (let round = 0; round < 8; round += 1) {
      const theirs = { accountId, applicationId: made.id };
      const activate = () => people.call('app.save', { applicationId: made.id, active: true }, asOwner);
      await Promise.all([activate(), call('block', { ...theirs, blocked: true }), activate()]);
      const rows = await db.select().from(db.tables.applications);
      expect(rows).toMatchObject([{ active: false, blocked: true }]);
      await call('block', { ...theirs, blocked: false });
      expect((await activate()).status).toBe(200);
    }
  });

  it('cannot be reached in a session below the level of its account', async () => {
    await using world = await startWithTheirs();
    const { call, db, accountId, made } = world;
    const { accounts } = db.tables;
    await changeAccess(db, { accounts: [accountId] }, (tx) =>
      tx.write(tx.update(accounts).set({ requiredLevel: 2, requiredFromMs: null })),
    );
    const theirs = { accountId, applicationId: made.id };
    for (const [name, body] of [
      ['list', { accountId }],
      ['detail', theirs],
      ['block', { ...theirs, blocked: true }],
      ['remove', theirs],
    ] as const)
      expect([name, (await call(name, body)).code]).toEqual([name, 'enrolment_required']);
  });

  it('gets no secret and no changed fields from staff, and is not found without its account or in another', async () => {
    await using world = await startWithTheirs();
    const { call, made } = world;
    const { id: other } = await world.account();
    const applicationId = made.id;
    for (const name of ['save', 'addSecret', 'detail', 'remove'])
      expect([name, (await call(name, { applicationId })).code]).toEqual([name, 'not_found']);
    for (const name of ['detail', 'remove', 'block']) {
      const more = name === 'block' ? { blocked: true } : {};
      const { code } = await call(name, { applicationId, accountId: other, ...more });
      expect([name, code]).toEqual([name, 'not_found']);
    }
  });
});
