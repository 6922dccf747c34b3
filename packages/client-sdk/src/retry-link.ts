import { retryLink as linkThatRetries, type TRPCLink } from '@trpc/client';
import type { ClientTypes } from './client-types.js';
import { callOptionsIn } from './per-call.js';
import { type RetryPolicy, retryWaitMs } from './retry-wait.js';

/** Retries failed calls by the policy. */
export function retryLink(policy: RetryPolicy): TRPCLink<ClientTypes> {
  // tRPC asks for the wait right after `retry`, without passing the error.
  let waitMs: number | undefined;
  return linkThatRetries({
    retry({ op, error, attempts: tries }) {
      const isRepeatable = op.type === 'query' || callOptionsIn(op.context).isRepeatable === true;
      waitMs = retryWaitMs({ error, isRepeatable, tries, random: randomFraction() }, policy);
      return waitMs !== undefined;
    },
    retryDelayMs: () => waitMs ?? 0,
  });
}

function randomFraction(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}
