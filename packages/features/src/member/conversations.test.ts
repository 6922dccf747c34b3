import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { tokenOf } from '../test/token-of.js';

const dialect = inject('dialect');

const start = () => startService(createApp, { dialect, application: 'web' });

interface Page {
  data: { id: number; memberId: number; body: string; createdAt: string }[];
  page: { nextCursor: string | null };
}

describe('/getMemberschatMessages', () => {
  it('answers GET and POST the same, oldest first', async () => {
    await using service = await start();
    const caller = { token: await tokenOf(service, 4), accountId: 1 };
    const get = await service.send('/getMemberschatMessages?memberId=4&conversationId=1', caller);
    const post = await service.send('/getMemberschatMessages', {
      ...caller,
      body: { memberId: '4', conversationId: 1 },
    });
    const page = (await get.json()) as Page;
    expect(await post.json()).toEqual(page);
    expect(page.data.map(({ memberId }) => memberId)).toEqual([4, 5, 6, 4, 6]);
    const times = page.data.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted());
  });

  it('uses the caller when no memberId is sent', async () => {
    await using service = await start();
    const caller = { token: await tokenOf(service, 4), accountId: 1 };
    const named = await service.send('/getMemberschatMessages?memberId=4&conversationId=1', caller);
    const page = (await named.json()) as Page;
    expect(page.data).toHaveLength(5);
    const input = encodeURIComponent(JSON.stringify({ conversationId: 1 }));
    const get = await service.send('/getMemberschatMessages?conversationId=1', caller);
    const empty = await service.send('/getMemberschatMessages?memberId=&conversationId=1', caller);
    const post = await service.send('/getMemberschatMessages', { ...caller, body: { conversationId: 1 } });
    const trpc = await service.send(`/trpc/conversation.messages?input=${input}`, caller);
    expect([await get.json(), await empty.json(), await post.json()]).toEqual([page, page, page]);
    expect(await trpc.json()).toMatchObject({ result: { data: { data: page.data } } });
  });

  it('pages through a conversation longer than a page, while others continue to write in it', async () => {
    await using service = await start();
    const { database } = service;
    const caller = { token: await tokenOf(service, 4), accountId: 1 };
    const bodies: string[] = [];
    let cursor: string | null = null;
    do {
      const body = { memberId: 4, conversationId: 8, limit: 20, cursor };
      const response = await service.send('/getMemberschatMessages', { ...caller, body });
      const { data, page } = (await response.json()) as Page;
      bodies.push(...data.map((row) => row.body));
      cursor = page.nextCursor;
      const added = { conversationId: 8, memberId: 4, body: `after page ${bodies.length}`, createdAtMs: 1 };
      await database.insert(database.tables.messages, added);
    } while (cursor !== null);
    expect(bodies).toHaveLength(55 + 2);
    expect(new Set(bodies.slice(-2))).toEqual(new Set(['after page 20', 'after page 40']));
  });

  it('accepts as memberId only the caller, a participant or a member of the account', async () => {
    await using service = await start();
    const caller = { token: await tokenOf(service, 3), accountId: 1 };
    const status = async (memberId: number) =>
      (await service.send('/getMemberschatMessages', { ...caller, body: { memberId, conversationId: 3 } }))
        .status;
    expect([await status(3), await status(4), await status(5)]).toEqual([200, 200, 200]);
    expect([await status(8), await status(9), await status(1), await status(99)]).toEqual([
      404, 404, 404, 404,
    ]);
  });

  it('does not reveal the members of the account to callers who may only read their own', async () => {
    await using service = await start();
    const { participants } = service.database.tables;
    const caller = { token: await tokenOf(service, 7), accountId: 1 };
    const statusOf = async (memberId: number) =>
      (await service.send('/getMemberschatMessages', { ...caller, body: { memberId, conversationId: 3 } }))
        .status;
    const rows = await service.database.select().from(participants);
    const inIt = new Set(
      rows.filter(({ conversationId }) => conversationId === 3).map(({ memberId }) => memberId),
    );
    for (const memberId of [3, 4, 5, 6, 7, 8, 9, 99]) {
      expect([memberId, await statusOf(memberId)]).toEqual([memberId, inIt.has(memberId) ? 200 : 404]);
    }
  });

  it('hides a removed conversation', async () => {
    await using service = await start();
    const { database } = service;
    const caller = { token: await tokenOf(service, 3), accountId: 1 };
    const { conversations } = database.tables;
    const [row] = await database.select().from(conversations).limit(1);
    const id = await database.insert(conversations, {
      accountId: 1,
      title: 'Gone',
      isDeleted: true,
      createdAtMs: row?.createdAtMs ?? 1,
    });
    const body = { memberId: 3, conversationId: id };
    expect((await service.send('/getMemberschatMessages', { ...caller, body })).status).toBe(404);
    const list = (await (await service.send('/getAllConversationlist', caller)).json()) as Page;
    expect(list.data.map((each) => each.id)).not.toContain(id);
  });
});
