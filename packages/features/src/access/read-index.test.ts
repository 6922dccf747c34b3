import { describe, expect, it } from 'vitest';
import { createReadIndex } from './read-index.js';

function controlledRead() {
  const reads: { finish: () => void; fail: (error: Error) => void }[] = [];
  const read = () =>
    new Promise<void>((resolve, reject) => {
      reads.push({ finish: resolve, fail: reject });
    });
  const begun = async (count: number) => {
    while (reads.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { reads, read, begun };
}

describe('the read-index', () => {
  it('serves everyone who was waiting when a read began with that one read', async () => {
    const { reads, read, begun } = controlledRead();
    const index = createReadIndex(read, 5_000);
    const callers = Array.from({ length: 100 }, () => index.current());
    await begun(1);
    reads[0]?.finish();
    await Promise.all(callers);
    expect(reads).toHaveLength(1);
  });

  it('never serves a caller with a read that began before the call', async () => {
    const { reads, read, begun } = controlledRead();
    const index = createReadIndex(read, 5_000);
    const first = index.current();
    await begun(1);
    let isServed = false;
    const late = index.current().then(() => {
      isServed = true;
    });
    reads[0]?.finish();
    await first;
    await begun(2);
    expect(isServed).toBe(false);
    reads[1]?.finish();
    await late;
    expect(isServed).toBe(true);
  });

  it('fails those who were waiting for a read that fails, and reads again for the next', async () => {
    const { reads, read, begun } = controlledRead();
    const index = createReadIndex(read, 5_000);
    const refused = index.current();
    await begun(1);
    reads[0]?.fail(new Error('away'));
    await expect(refused).rejects.toThrow('away');
    const next = index.current();
    await begun(2);
    reads[1]?.finish();
    await expect(next).resolves.toBeUndefined();
  });

  it('refuses callers in time while a read is stuck, and reads again once it has ended', async () => {
    const { reads, read, begun } = controlledRead();
    const index = createReadIndex(read, 50);
    const stuck = index.current();
    await begun(1);
    const behind = index.current();
    for (const caller of [stuck, behind])
      await expect(caller).rejects.toMatchObject({ name: 'DatabaseUnavailableError', reason: 'timeout' });
    const next = index.current();
    reads[0]?.finish();
    await begun(2);
    reads[1]?.finish();
    await next;
    expect(reads).toHaveLength(2);
  });
});
