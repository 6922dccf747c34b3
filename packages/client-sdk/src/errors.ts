import { TRPCClientError } from '@trpc/client';

/** A refusal of the service: its code, its public sentence and, for invalid input, what is wrong where. */
export interface GatehouseError extends Error {
  readonly data: {
    readonly reason: string;
    readonly httpStatus: number;
    readonly requestId?: string | undefined;
    readonly issues?: readonly { readonly path: string; readonly message: string }[] | undefined;
  };
}

/** Whether something thrown by a call is a refusal of the service, and optionally that very one. */
export function isGatehouseError(error: unknown, reason?: string): error is GatehouseError {
  if (!(error instanceof TRPCClientError)) return false;
  const data: unknown = error.data;
  if (typeof data !== 'object' || data === null || !('reason' in data)) return false;
  return reason === undefined || data.reason === reason;
}
