import type { TrpcRefusal } from '@gatehouse/api-main/router';
import { TRPCClientError } from '@trpc/client';

export type { TrpcRefusal } from '@gatehouse/api-main/router';

/** Every code the service refuses with. */
export type ErrorCode = TrpcRefusal['data']['reason'];

/** A refusal of the service. Its message is a sentence that people may read. */
export interface GatehouseError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly data: Readonly<Omit<TrpcRefusal['data'], 'reason'>> & { readonly reason: Code };
}

/**
 * Whether something thrown by a call is a refusal of the service, and where codes are named, one of those. Anything
 * else a call throws, such as a network that is down or an aborted call, is none.
 */
export function isGatehouseError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is GatehouseError<Code> {
  if (!(error instanceof TRPCClientError)) return false;
  const data: unknown = error.data;
  if (typeof data !== 'object' || data === null || !('reason' in data)) return false;
  const { reason } = data;
  return codes.length === 0 || codes.some((code) => code === reason);
}
