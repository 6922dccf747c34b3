import { createAuthenticator, readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { changeColumn } from '../test/change-column.js';
import { addPasskey, startPasskeyWorld, usePasskey } from '../test/passkey-world.js';
import { PASSWORD } from '../test/people-world.js';
import { DOMAIN, startSsoWorld } from '../test/sso-world.js';
import { insertTestDomain, insertTestSso } from '../test/test-sso.js';

const ORIGIN = 'http://localhost:4000';
const ACCOUNT = 2;

describe('an account that requires single sign-on', () => {
  it('refuses passkeys of its domain, except those of staff and of exempt owners who choose them', async () => {
    await using world = await startPasskeyWorld();
    const [mina, olivia] = [await world.member(), await world.member({ memberships: { [ACCOUNT]: 1 } })];
    const staff = await world.member({ isPersonnel: true, roleType: 0 });
    const device = () => createAuthenticator({ origin: ORIGIN });
    const passkeys = {
      mina: (await addPasskey(world, mina, device())).passkey,
      olivia: (await addPasskey(world, olivia, device())).passkey,
      staff: (await addPasskey(world, staff, device(), { isStaff: true })).passkey,
    };
    for (const { id } of [mina, olivia, staff])
      for (const column of ['email', 'email_key'])
        await changeColumn(world.db, { table: 'members', column, id }, `member${id}@${DOMAIN}`);
    const codeOf = async (name: keyof typeof passkeys, more?: object) =>
      (await usePasskey(world, passkeys[name], { more })).code;
    const of = { accountId: ACCOUNT, createdById: olivia.id };
    await insertTestDomain(world.db, { ...of, domain: DOMAIN, isVerified: true });
    expect(await codeOf('mina')).toBeUndefined();
    await insertTestSso(world.db, { ...of, required: true, exemptIds: [olivia.id] });
    expect(await codeOf('mina')).toBe('sso_required');
    expect(await codeOf('olivia')).toBe('sso_required');
    expect(await codeOf('mina', { withoutSso: true })).toBe('invalid_credentials');
    expect(await codeOf('olivia', { withoutSso: true })).toBeUndefined();
    expect(await codeOf('staff')).toBeUndefined();
  });

  it('lets nobody register through an invitation to an address of its domain', async () => {
    await using world = await startSsoWorld({ justInTime: true });
    const join = async (name: string) => {
      const email = `${name}@${DOMAIN}`;
      await world.call('invitation.create', { email, roleType: 5 }, world.as);
      const mail = (await readOutbox(world.service)).find(({ to }) => to === email);
      const token = /[?&#]token=([^&\s"]+)/.exec(mail?.text ?? '')?.[1] ?? '';
      return (await world.call('invitation.join', { token, username: name, password: PASSWORD }, {})).code;
    };
    expect(await join('before')).toBeUndefined();
    await world.call('sso.setPolicy', { required: true, exempt: [world.owner.id] }, world.as);
    expect(await join('after')).toBe('sso_required');
  });
});
