import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import {
  insertMachineApplication,
  type MachineApplicationWorld,
  startMachineApplicationWorld,
} from '../../test/machine-application-world.js';
import type { OauthWorld, TestApplication } from '../../test/oauth-world.js';
import { insertTestMachine } from '../../test/test-machines.js';

/** Whether a token is valid on the other node, asked by an application of its own account. */
async function stateOf(world: OauthWorld, application: TestApplication, token: string) {
  const { config } = await world.client(application, world.other);
  return oauth.tokenIntrospection(config, token).then(
    (answer) => answer.active,
    (error: unknown) => (error instanceof oauth.WWWAuthenticateChallengeError ? error.status : error),
  );
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof oauth.ResponseBodyError) return error.error;
      return error instanceof oauth.WWWAuthenticateChallengeError ? error.status : error;
    },
  );

describe('the token of an application that acts as a machine', () => {
  it('names the machine, lives 15 minutes, and has the scopes that the role of the machine permits', async () => {
    await using started = await startMachineApplicationWorld();
    const { config, machineId, application, by } = started;
    const whole = await oauth.clientCredentialsGrant(config);
    expect(whole.access_token).toMatch(/^gtha_[0-9A-Za-z]{39}$/);
    expect(whole).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    expect(Object.keys(whole)).not.toContain('refresh_token');
    expect(Object.keys(whole)).not.toContain('id_token');

    expect((await by('/v1/machine/save', { machineId, name: 'Importer', roleType: 2 })).status).toBe(200);
    const tokens = await oauth.clientCredentialsGrant(config, { scope: 'member.list account.read' });
    expect(tokens.scope?.split(' ')).toEqual(['member.list', 'account.read']);
    const answer = await oauth.tokenIntrospection(config, tokens.access_token);
    expect(answer).toMatchObject({
      active: true,
      sub: String(machineId),
      client_id: application.clientId,
      scope: 'member.list account.read',
      token_type: 'Bearer',
    });

    const narrow = await by('/v1/role/save', { name: 'Narrow', roleType: 5, permissions: ['account.read'] });
    const { data } = (await narrow.json()) as { data: { id: number } };
    await by('/v1/machine/save', { machineId, name: 'Importer', customRoleId: data.id });
    const after = await oauth.tokenIntrospection(config, tokens.access_token);
    expect(after).toMatchObject({ active: true, scope: 'account.read' });
  });

  it('is refused for scopes that the application or the role does not have', async () => {
    await using started = await startMachineApplicationWorld();
    const { config, by, machineId } = started;
    const ask = (scope: string) => refusal(oauth.clientCredentialsGrant(config, { scope }));
    for (const scope of ['openid', 'offline_access', 'member.manage', 'key.manage', 'account.read nothing'])
      expect([scope, await ask(scope)]).toEqual([scope, 'invalid_scope']);
    const made = await by('/v1/role/save', { name: 'Narrow', roleType: 5, permissions: ['account.read'] });
    const { data } = (await made.json()) as { data: { id: number } };
    await by('/v1/machine/save', { machineId, name: 'Importer', customRoleId: data.id });
    expect(await ask('member.list')).toBe('invalid_scope');
    expect((await oauth.clientCredentialsGrant(config, { scope: 'member.list account.read' })).scope).toBe(
      'account.read',
    );
  });

  it('gives no access to data about people, and can be introspected only by its own application', async () => {
    await using started = await startMachineApplicationWorld();
    const { config, world } = started;
    const { access_token: token } = await oauth.clientCredentialsGrant(config);
    expect((await world.main.send('/oauth/userinfo', { bearer: token })).status).toBe(401);
    expect((await world.main.send('/v1/member/list', { bearer: token, body: {} })).status).toBe(401);
    expect(await stateOf(world, await world.application(), token)).toBe(false);
    const machineId = await insertTestMachine(world.db, { accountId: 1, createdById: 1 });
    expect(await stateOf(world, await insertMachineApplication(world, { machineId }), token)).toBe(false);
    await oauth.tokenRevocation(config, token);
    expect((await oauth.tokenIntrospection(config, token)).active).toBe(false);
  });

  it('is refused with a wrong secret, to an application that signs people in, and to one without its machine', async () => {
    await using started = await startMachineApplicationWorld();
    const { world, application, by, machineId } = started;
    const wiki = await world.client(await world.application());
    expect(await refusal(oauth.clientCredentialsGrant(wiki.config))).toBe('invalid_request');
    const { config } = await world.client({ ...application, secret: `${application.secret.slice(0, -1)}!` });
    expect(await refusal(oauth.clientCredentialsGrant(config))).toBe(401);
    const browser = world.browser(started.owner);
    const begun = await (await world.client(application)).begin();
    expect((await browser.visit(begun.url)).status).toBe(400);
    expect((await by('/v1/machine/remove', { machineId })).status).toBe(200);
    expect(await refusal(oauth.clientCredentialsGrant(started.config))).toBe(401);
  });

  it.each<[string, (started: MachineApplicationWorld) => Promise<unknown>]>([
    ['its machine is removed', ({ by, machineId }) => by('/v1/machine/remove', { machineId })],
    [
      'its application is removed',
      ({ by, application: { id } }) => by('/v1/app/remove', { applicationId: id }),
    ],
    [
      'its application is switched off',
      ({ by, application: { id } }) => by('/v1/app/save', { applicationId: id, active: false }),
    ],
    [
      'its application acts as another machine',
      async ({ world, by, application: { id } }) => {
        const machineId = await insertTestMachine(world.db, { accountId: 1, createdById: 1 });
        return by('/v1/app/save', { applicationId: id, machineId });
      },
    ],
    [
      'staff block its application',
      ({ world: { db }, application: { id } }) =>
        changeAccess(db, {}, async (tx) => {
          const row = await findApplicationById(tx, id);
          if (row) await setApplication(tx, { ...row, active: false, nowMs: Date.now() });
        }),
    ],
    [
      'the account is closed',
      ({ world: { admin, root } }) =>
        admin.send('/v1/account/remove', { token: root.token, body: { accountId: 1 } }),
    ],
  ])('is refused on the next request on another node after %s', async (_what, end) => {
    await using started = await startMachineApplicationWorld();
    const { world, application, config } = started;
    const { access_token: token } = await oauth.clientCredentialsGrant(config);
    expect(await stateOf(world, application, token)).toBe(true);
    const ended = await end(started);
    if (ended instanceof Response)
      expect([ended.status, await ended.text()]).toEqual([200, expect.any(String)]);
    expect([401, false]).toContain(await stateOf(world, application, token));
  });
});
