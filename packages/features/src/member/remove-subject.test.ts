import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { tokenOf } from '../test/token-of.js';

const dialect = inject('dialect');

const start = () => startService(createApp, { dialect, application: 'web' });

describe('POST /RemoveSubject', () => {
  it('removes once in twenty concurrent requests, gives each the same answer, and writes one audit entry', async () => {
    await using service = await start();
    const { tables } = service.database;
    const token = await tokenOf(service, 4);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const subjectId = index % 2 === 0 ? 3 : '3';
        const response = await service.send('/RemoveSubject', { token, accountId: 1, body: { subjectId } });
        return response.json();
      }),
    );
    expect(answers).toEqual(answers.map(() => ({ status: true, message: 'Subject removed' })));
    const lines = (await service.database.select().from(tables.auditLog)).filter(
      ({ action }) => action === 'subject.removed',
    );
    expect(lines).toMatchObject([{ actorId: 4, accountId: 1, subjectKind: 'subject', subjectId: '3' }]);
  });

  it('keeps the conversations of the subject, without a subject', async () => {
    await using service = await start();
    const caller = { token: await tokenOf(service, 3), accountId: 1 };
    const subjects = async () => {
      const response = await service.send('/getAllConversationlist', caller);
      const { data } = (await response.json()) as { data: { id: number; subject: { id: number } | null }[] };
      return data.map(({ id, subject }) => [id, subject?.id ?? null]);
    };
    const before = await subjects();
    await service.send('/RemoveSubject', { ...caller, body: { subjectId: 3 } });
    expect(before).toContainEqual([3, 3]);
    expect(await subjects()).toEqual(before.map(([id, subject]) => [id, subject === 3 ? null : subject]));
  });

  it('reads only the subject from the body', async () => {
    await using service = await start();
    const caller = { token: await tokenOf(service, 9), accountId: 3 };
    const body = { subjectId: 1, accountId: 1, role_type: 0, isPersonnel: true };
    expect((await service.send('/RemoveSubject', { ...caller, body })).status).toBe(404);
    for (const subjectId of [0, -1, 1.5, null, [], {}, '', '1e3', 2 ** 60, true]) {
      expect((await service.send('/RemoveSubject', { ...caller, body: { subjectId } })).status).toBe(400);
    }
  });
});
