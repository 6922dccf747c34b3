import { setImmediate as endOfTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { currentTogether } from './current-together.js';

/** A change log whose reads end on command. */
function startLog() {
  const reads: { end: () => void; fail: (error: Error) => void }[] = [];
  const current = () =>
    new Promise<void>((resolve, reject) => {
      reads.push({ end: resolve, fail: reject });
    });
  return { reads, access: { current } };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await endOfTurn();
}

describe('introspections that read the change log', () => {
  it('share one read while each turn of the event loop brings another, for eight turns', async () => {
    const { reads, access } = startLog();
    let joined = 0;
    const join = () => {
      if (joined < 20) setImmediate(join);
      joined += 1;
      void currentTogether(access);
    };
    join();
    await turns(7);
    expect([joined, reads.length]).toEqual([8, 0]);
    await turns(2);
    expect([joined, reads.length]).toEqual([10, 1]);
  });

  it('wait one turn if no other call comes', async () => {
    const { reads, access } = startLog();
    const alone = currentTogether(access);
    await turns(1);
    expect(reads).toHaveLength(1);
    reads[0]?.end();
    await alone;
  });

  it('are not answered from a read that began earlier', async () => {
    const { reads, access } = startLog();
    const first = currentTogether(access);
    await turns(2);
    let isServed = false;
    const second = currentTogether(access).then(() => {
      isServed = true;
    });
    reads[0]?.end();
    await first;
    await turns(2);
    expect([isServed, reads.length]).toEqual([false, 2]);
    reads[1]?.end();
    await second;
  });

  it('fail together with their read, and the next ones begin a new read', async () => {
    const { reads, access } = startLog();
    const both = Promise.allSettled([currentTogether(access), currentTogether(access)]);
    await turns(2);
    reads[0]?.fail(new Error('away'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = currentTogether(access);
    await turns(2);
    reads[1]?.end();
    await next;
  });
});
