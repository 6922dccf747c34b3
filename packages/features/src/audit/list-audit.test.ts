import { describe, expect, it } from 'vitest';
import { startPeopleWorld, TRANSPORTS } from '../test/people-world.js';

interface Entry {
  readonly action: string;
  readonly actorId: number;
  readonly before: unknown;
  readonly after: unknown;
}

describe.each(TRANSPORTS)('the audit log of an account, over %s', (transport) => {
  it('shows its owner the changes there, newest first, and none of another account', async () => {
    await using world = await startPeopleWorld();
    const { id, owner } = await world.account('Kiln');
    const elsewhere = await world.account('Elsewhere');
    const as = { token: owner.token, accountId: id };
    const theirs = { token: elsewhere.owner.token, accountId: elsewhere.id };
    await world.call('account.rename', { name: 'Forge' }, as);
    await world.call('account.rename', { name: 'Not here' }, theirs);
    const role = { name: 'Reader', roleType: 5, permissions: ['account.read'] };
    await world.call('role.save', role, as);
    const { status, data } = await world.call('audit.listOwn', {}, as, { transport });
    const entries = data as Entry[];
    expect(status).toBe(200);
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['role.made', owner.id],
      ['account.renamed', owner.id],
    ]);
    expect(entries[1]).toMatchObject({ before: { name: 'Kiln' }, after: { name: 'Forge' } });
    expect(Object.keys(entries[0] ?? {})).not.toContain('address');
    const renamed = await world.call('audit.listOwn', { action: 'account.renamed', limit: 1 }, as, {
      transport,
    });
    expect(renamed.data).toHaveLength(1);
  });

  it('is refused without account.manage', async () => {
    await using world = await startPeopleWorld();
    const { id } = await world.account();
    const manager = await world.member({ memberships: { [id]: 2 } });
    const stranger = await world.member();
    const ask = (token: string) => world.call('audit.listOwn', {}, { token, accountId: id }, { transport });
    expect(await ask(manager.token)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(await ask(stranger.token)).toMatchObject({ status: 403, code: 'account_forbidden' });
  });
});
