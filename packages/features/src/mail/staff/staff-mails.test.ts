import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { insertTestMail } from '../../test/insert-test-mail.js';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

interface Listed {
  id: number;
  state: string;
  address: string;
}

async function list(world: StaffWorld, input: object, as = world.root): Promise<Listed[]> {
  const { status, body } = await world.call('mail.list', input, as);
  expect([input, status]).toEqual([input, 200]);
  return body['data'] as Listed[];
}

const idsOf = (mails: readonly Listed[]) => mails.map(({ id }) => id);

describe('the mails of members', () => {
  it('are listed newest first, by member, state and kind, without text or whole address', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const birch = { memberId: 8, recipient: 'owner@birch.test' };
    const sent = await insertTestMail(database, { ...birch, state: 'sent' });
    const queued = await insertTestMail(database, { ...birch, state: 'pending', kind: 'passwordReset' });
    const failed = await insertTestMail(database, {
      ...birch,
      state: 'dead',
      lastError: 'OWNER@birch.test is unknown here',
    });
    const other = await insertTestMail(database, { memberId: 9, state: 'dead' });
    const nobody = await insertTestMail(database, { memberId: null, state: 'pending' });
    await insertTestMail(database, { ...birch, state: 'void' });
    expect(idsOf(await list(world, {}))).toEqual([nobody, other, failed, queued, sent]);
    expect(idsOf(await list(world, { memberId: 8 }))).toEqual([failed, queued, sent]);
    expect(idsOf(await list(world, { state: 'failed' }))).toEqual([other, failed]);
    expect(idsOf(await list(world, { kind: 'passwordReset', state: 'queued' }))).toEqual([queued]);
    expect(idsOf(await list(world, {}, world.manager))).toEqual([failed, queued, sent]);
    expect(await list(world, { memberId: 9 }, world.manager)).toEqual([]);
    expect((await list(world, { memberId: 8 }))[0]).toMatchObject({
      memberId: 8,
      kind: 'activation',
      state: 'failed',
      address: 'o***@birch.test',
      attempts: 8,
      reason: 'o***@birch.test is unknown here',
    });
    const answer = JSON.stringify((await world.call('mail.list', {}, world.root)).body);
    expect(answer).not.toMatch(/owner@birch|a sealed text|A subject/i);
    const first = await world.call('mail.list', { limit: 2 }, world.root);
    const { nextCursor } = first.body['page'] as { nextCursor: string };
    expect(idsOf(await list(world, { limit: 2, cursor: nextCursor }))).toEqual([failed, queued]);
    expect((await world.call('mail.list', { state: 'dead' }, world.root)).status).toBe(400);
  });

  it('are found by words of the names or the address of a member or by their id, page by page', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const person = (accountId: number) => insertTestMember(database, { memberships: { [accountId]: 5 } });
    const [ada, bela, elsewhere] = [await person(2), await person(2), await person(1)];
    const mailTo = (memberId: number | null, state: 'sent' | 'dead' = 'sent') =>
      insertTestMail(database, { memberId, state, recipient: 'test@member.test' });
    const first = await mailTo(ada.id);
    const second = await mailTo(bela.id, 'dead');
    const third = await mailTo(elsewhere.id);
    await mailTo(null);
    await mailTo(8);
    const last = await mailTo(ada.id);
    const found = async (search: string, more = {}, as = world.root) =>
      idsOf(await list(world, { search, ...more }, as));
    expect(await found('memb TEST')).toEqual([last, third, second, first]);
    expect(await found(` ${ada.email} `)).toEqual([last, first]);
    expect(await found(`member ${bela.email}`)).toEqual([second]);
    expect(await found(`#${bela.id}`)).toContain(second);
    expect(await found('member', { state: 'failed' })).toEqual([second]);
    expect(await found('member', {}, world.manager)).toEqual([last, second, first]);
    expect(await found('no such name')).toEqual([]);
    expect(await found(' ')).toHaveLength(6);
    const pages: number[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await world.call('mail.list', { search: 'member', limit: 2, cursor }, world.root);
      pages.push(idsOf(body['data'] as Listed[]));
      cursor = (body['page'] as { nextCursor: string | null }).nextCursor;
    }
    expect(pages.flat()).toEqual([last, third, second, first]);
    expect(pages[0]).toHaveLength(2);
  });

  it('can be sent again on request after they failed, with an entry in the audit log', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const mailId = await insertTestMail(database, {
      memberId: 8,
      state: 'dead',
      recipient: 'owner@birch.test',
    });
    for (let times = 0; times < 2; times += 1) {
      expect((await world.send('/v1/mail/retry', world.manager, { mailId })).status).toBe(200);
      expect(await list(world, { memberId: 8 })).toMatchObject([
        { id: mailId, state: 'queued', attempts: 0 },
      ]);
    }
    const { body } = await world.call('audit.list', { action: 'mail.retried' }, world.root);
    expect(body['data']).toMatchObject([
      { actorId: world.manager.id, onBehalfOfId: 8, subjectKind: 'mail', subjectId: String(mailId) },
    ]);
  });

  it('are not sent twice, or without their text, or for members the caller does not see', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const retried = async (mail: Parameters<typeof insertTestMail>[1], as = world.manager) =>
      (await world.call('mail.retry', { mailId: await insertTestMail(database, mail) }, as)).code;
    expect(await retried({ memberId: 8, state: 'sent' })).toBe('not_retryable');
    expect(await retried({ memberId: 8, state: 'dead', text: '' })).toBe('not_retryable');
    expect(await retried({ memberId: 9, state: 'dead' })).toBe('not_found');
    expect(await retried({ memberId: null, state: 'dead' })).toBe('not_found');
    expect(await retried({ memberId: 8, state: 'void' })).toBe('not_found');
    expect(await retried({ memberId: null, state: 'dead' }, world.root)).toBeUndefined();
    // Staff are served by staff of base role 0.
    expect(await retried({ memberId: world.manager.id, state: 'dead' })).toBe('not_found');
    const { body } = await world.call('audit.list', { action: 'mail.retried' }, world.root);
    expect(body['data']).toHaveLength(1);
  });
});
