import { describe, expect, it } from 'vitest';
import { findCanaries } from './canaries.js';

const find = (text: string, ...canaries: string[]) => findCanaries([Buffer.from(text)], canaries);

describe('findCanaries', () => {
  it('finds a secret at the beginning, in the middle and at the end', () => {
    const secret = 'Lantern-Harbor-42';
    expect(find(`${secret} was tried`, secret)).toEqual([secret]);
    expect(find(`{"detail":"x${secret}x"}`, secret)).toEqual([secret]);
    expect(find(`tried: ${secret}`, secret, 'Lantern-Harbor-43')).toEqual([secret]);
    expect(find(`${'é'.repeat(5)}${secret}`, secret)).toEqual([secret]);
  });

  it('finds several that begin alike, and none that is incomplete', () => {
    const one = 'eyJhbGciOiJIUzI1NiJ9.one';
    const two = 'eyJhbGciOiJIUzI1NiJ9.two';
    expect(find(`${one} ${two}`, one, two)).toEqual([one, two]);
    expect(find('eyJhbGciOiJIUzI1NiJ9', one, two)).toEqual([]);
    expect(find('', one)).toEqual([]);
  });

  it('finds one in any of several logs, and none that is split between two of them', () => {
    const secret = 'Lantern-Harbor-42';
    const logs = ['nothing', `tried: ${secret}`, 'Lantern-', 'Harbor-42'].map((text) => Buffer.from(text));
    expect(findCanaries(logs, [secret])).toEqual([secret]);
    expect(findCanaries(logs.slice(2), [secret])).toEqual([]);
  });

  it('finds a one-time password that stands alone, not one within an identifier', () => {
    expect(find('{"reason":"a1b2c3"}', 'a1b2c3')).toEqual(['a1b2c3']);
    expect(find('{"requestId":"00a1b2c3ff"}', 'a1b2c3')).toEqual([]);
  });
});
