import { describe, expect, it, vi } from 'vitest';
import { startFactorWorld } from '../test/factor-world.js';

describe('a session that is kept while all others end', () => {
  it('is not refused to a request that read its member before and the session after', async () => {
    await using world = await startFactorWorld();
    const { token } = await world.member();
    const { access } = world.main.services;
    const endOthers = () => world.call('session.endMany', { others: true }, { token, on: world.other });
    const readToken = access.token;
    let ended = 0;
    const spy = vi.spyOn(access, 'token').mockImplementation(async (...args) => {
      if (ended < 2) {
        ended += 1;
        expect((await endOthers()).status).toBe(200);
      }
      return readToken(...args);
    });
    expect((await world.call('session.me', {}, { token, query: true })).status).toBe(200);
    expect(ended).toBe(2);
    spy.mockRestore();
  });

  it('is read three times at most, whatever the rows say', async () => {
    await using world = await startFactorWorld();
    const { id, token } = await world.member();
    const { sessions } = world.db.tables;
    await world.db.write(world.db.update(sessions).set({ epoch: 99 }));
    const read = vi.spyOn(world.main.services.access, 'member');
    expect((await world.call('session.me', {}, { token, query: true })).status).toBe(401);
    expect(read.mock.calls.filter(([memberId]) => memberId === id)).toHaveLength(3);
  });
});
