import { createApp } from '@gatehouse/api-main/app';
import { findFreePort, insertTestMember, startService } from '@gatehouse/testkit';
import { expect } from 'vitest';

/** The result of a program of the guide: the member's id, or the status with which it refuses. */
export type Ask = (
  url: string,
  headers: Readonly<Record<string, string>>,
  permission: string,
) => Promise<string>;

/** Walks through the answers that a program of the guide `docs/your-own-api.md` has to give. */
export async function expectGuideToRefuse(ask: Ask): Promise<void> {
  await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  const { id, token } = await insertTestMember(service.database, { memberships: { 1: 3 } });
  const sent = { Token: token, Accountid: '1' };
  expect(await ask(service.url, sent, 'member.list')).toBe(String(id));
  expect(await ask(service.url, sent, 'billing.manage')).toBe('403');
  expect(await ask(service.url, { Token: token }, 'member.list')).toBe('403');
  expect(await ask(service.url, { ...sent, Accountid: '3' }, 'member.list')).toBe('403');
  expect(await ask(service.url, {}, 'member.list')).toBe('401');
  expect(await ask(`http://127.0.0.1:${await findFreePort()}`, sent, 'member.list')).toBe('503');
  await service.send('/auth/logout', { token, method: 'POST' });
  expect(await ask(service.url, sent, 'member.list')).toBe('401');
}
