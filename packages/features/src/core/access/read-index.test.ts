import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadIndex, createReadSpacing } from './read-index.js';

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
  it('serves everyone who was waiting when a read began from that one read', async () => {
    const { reads, read, begun } = controlledRead();
    const index = createReadIndex(read, { timeoutMs: 5_000 });
    const callers = Array.from({ length: 100 }, () => index.current());
    await begun(1);
    reads[0]?.finish();
    await Promise.all(callers);
    expect(reads).toHaveLength(1);
  });

  it('waits a turn of the event loop for frequent callers, and lets a lone caller read immediately', async () => {
    const { reads, read } = controlledRead();
    const index = createReadIndex(read, { timeoutMs: 5_000 });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const callers = [index.current(), index.current()];
    await turn();
    callers.push(index.current());
    await turn();
    expect(reads).toHaveLength(1);
    reads[0]?.finish();
    await Promise.all(callers);
    const alone = index.current();
    await turn();
    expect(reads).toHaveLength(2);
    reads[1]?.finish();
    await alone;
  });

  it('never serves a caller from a read that began before the call', async () => {
    const { reads, read, begun } = controlledRead();
    const index = createReadIndex(read, { timeoutMs: 5_000 });
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

  it('fails those who were waiting for a failed read, and reads again for the next', async () => {
    const { reads, read, begun } = controlledRead();
    const index = createReadIndex(read, { timeoutMs: 5_000 });
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
    const index = createReadIndex(read, { timeoutMs: 50 });
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

  it('spaces reads under load, and still serves each caller from a read that began after the call', async () => {
    let events = 0;
    const reads: { beganAt: number; endedAt: number }[] = [];
    const index = createReadIndex(
      async () => {
        events += 1;
        const own = { beganAt: events, endedAt: Number.POSITIVE_INFINITY };
        reads.push(own);
        await new Promise((resolve) => setImmediate(resolve));
        events += 1;
        own.endedAt = events;
      },
      { timeoutMs: 5_000 },
    );
    index.spaceReads(2);
    const call = async () => {
      events += 1;
      const calledAt = events;
      await index.current();
      return { calledAt, servedAt: events };
    };
    const calls: ReturnType<typeof call>[] = [];
    while (reads.length < 8) {
      calls.push(call());
      await new Promise((resolve) => setImmediate(resolve));
    }
    const served = await Promise.all(calls);
    for (const { calledAt, servedAt } of served)
      expect(reads.some(({ beganAt, endedAt }) => beganAt > calledAt && endedAt <= servedAt)).toBe(true);
    // Without a pause there would be a read for every two or three callers.
    expect(served.length).toBeGreaterThan(reads.length * 10);
  });

  it('never delays a caller who calls alone, however often', async () => {
    let reads = 0;
    const index = createReadIndex(
      () => {
        reads += 1;
        return Promise.resolve();
      },
      { timeoutMs: 5_000 },
    );
    index.spaceReads(3_600_000);
    for (let call = 0; call < 100; call += 1) await index.current();
    expect(reads).toBe(100);
  });
});

describe('the spacing of reads', () => {
  let nowMs = 1_000;

  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('starts a read for several callers one interval after the previous read, never later', () => {
    const spacing = createReadSpacing();
    spacing.spaceReads(2);
    expect(spacing.pauseBefore(5)).toBe(0);
    spacing.began(5);
    expect(spacing.pauseBefore(1)).toBe(2);
    nowMs += 1.5;
    expect(spacing.pauseBefore(1)).toBe(1);
    nowMs += 0.5;
    expect(spacing.pauseBefore(5)).toBe(0);
  });

  it('never delays a lone caller, neither one after an idle time nor one who calls again and again', () => {
    const spacing = createReadSpacing();
    spacing.spaceReads(2);
    spacing.began(5);
    nowMs += 2;
    for (let call = 0; call < 10; call += 1) {
      expect(spacing.pauseBefore(1)).toBe(0);
      spacing.began(1);
      nowMs += 0.1;
    }
  });

  it('skips pauses for a while after one in which no caller joined', () => {
    const spacing = createReadSpacing();
    spacing.spaceReads(2);
    spacing.began(4);
    spacing.paused(4, 5);
    expect(spacing.pauseBefore(4)).toBe(2);
    spacing.paused(4, 4);
    for (let read = 0; read < 8; read += 1) expect(spacing.pauseBefore(4)).toBe(0);
    expect(spacing.pauseBefore(4)).toBe(2);
  });

  it('never pauses without an interval', () => {
    const spacing = createReadSpacing();
    spacing.began(5);
    expect(spacing.pauseBefore(5)).toBe(0);
  });
});
