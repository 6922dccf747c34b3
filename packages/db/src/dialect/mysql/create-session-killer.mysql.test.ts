import { once } from 'node:events';
import { createTestDatabase } from '@gatehouse/testkit/database';
import { createConnection } from 'mysql2';
import { describe, expect, it } from 'vitest';
import { createSessionKiller } from './create-session-killer.js';

describe('ending lost sessions', () => {
  it('works while another client runs a statement with a four-byte character', async () => {
    await using test = await createTestDatabase('mysql');
    const [lost, other] = [createConnection(test.url), createConnection(test.url)];
    await Promise.all([once(lost, 'connect'), once(other, 'connect')]);
    let isRunning = true;
    other.query("select sleep(10), '\u{1F469}'", () => {
      isRunning = false;
    });
    const ended = once(lost, 'error');
    const killer = createSessionKiller(test.url);
    const nowMs = performance.now();
    killer.kill({
      threadId: lost.threadId ?? 0,
      server: undefined,
      openedAtMs: nowMs,
      heardAtMs: nowMs,
      isCommitting: false,
    });
    await ended;
    expect(isRunning).toBe(true);
    killer.close();
    other.destroy();
  });
});
