import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { type FailedTry, retryWaitMs } from './retry-wait.js';

const policy = { tries: 3, longestWaitMs: 10_000 };
const unreached = TRPCClientError.from(new TypeError('fetch failed'));

function refusal(reason: string, retryAfterSeconds?: number): Error {
  return TRPCClientError.from({ error: { code: -32603, message: '', data: { reason, retryAfterSeconds } } });
}

const wait = (failed: Partial<FailedTry>) =>
  retryWaitMs({ error: unreached, isRepeatable: true, tries: 1, random: 0, ...failed }, policy);

describe('the wait before a retry', () => {
  it("is never shorter than the service's Retry-After, and varies by a quarter", () => {
    expect(wait({ error: refusal('unavailable', 5) })).toBe(5000);
    expect(wait({ error: refusal('unavailable', 5), random: 1 })).toBe(6250);
  });

  it('doubles when the service names no time', () => {
    expect([1, 2].map((tries) => wait({ tries }))).toEqual([250, 500]);
  });

  it("ends after the allowed tries, or when the service's Retry-After is too long", () => {
    expect(wait({ tries: 3 })).toBeUndefined();
    expect(wait({ error: refusal('rate_limited', 11) })).toBeUndefined();
    expect(wait({ error: refusal('rate_limited', 10) })).toBe(10_000);
  });

  it('applies to calls that certainly were not executed, or may be executed twice', () => {
    const once = (error: Error) => wait({ error, isRepeatable: false });
    expect(once(refusal('rate_limited', 1))).toBe(1000);
    expect(once(refusal('unavailable', 1))).toBeUndefined();
    expect(once(unreached)).toBeUndefined();
  });

  it('applies to no other refusal, and to no mistake of the caller', () => {
    for (const reason of ['internal', 'invalid_input', 'unauthorized', 'not_found'])
      expect(wait({ error: refusal(reason) }), reason).toBeUndefined();
    expect(wait({ error: TRPCClientError.from(new SyntaxError('no JSON')) })).toBeUndefined();
    expect(wait({ error: TRPCClientError.from(new DOMException('', 'AbortError')) })).toBeUndefined();
  });
});
