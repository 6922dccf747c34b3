import { openDatabase } from '@gatehouse/db/open-database';
import { createTestDatabase } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { untilReady } from './until-ready.js';

const silent = { warning: () => undefined };

describe('a service that the database denies access', () => {
  it.each([
    ['a wrong password', { password: 'wr0ng' }, /denies access to user .*: correct user and password/],
    ['an unknown database', { pathname: '/not_there' }, /not_there .*(?:create it|gatehouse grants)/],
  ])('ends its start with one sentence about %s', async (_what, change, sentence) => {
    await using test = await createTestDatabase('mysql');
    const url = new URL(test.url);
    Object.assign(url, change);
    const db = await openDatabase(url.href);
    const ready = untilReady(db, { log: silent, url: url.href, signal: new AbortController().signal });
    const error: unknown = await ready.catch((thrown: unknown) => thrown);
    await db.close();
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(sentence) });
    expect(String(error)).not.toContain('wr0ng');
  });
});
