import type { TrpcRefusal } from '@gatehouse/api-main/router';
import type { StepMethod, VerificationNeed } from './verification.js';

export type { TrpcRefusal } from '@gatehouse/api-main/router';

/** Every error code of the service. */
export type ErrorCode = TrpcRefusal['data']['reason'];

/** What only `isSecondFactorRequired` and `isVerificationRequired` narrow to. */
type Required = 'challenge' | 'methods' | 'expiresAt' | 'verification';

/** A refusal of the service. Its message is a sentence to show to people. */
export interface GatehouseError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly data: Readonly<Omit<TrpcRefusal['data'], 'reason' | Required>> & { readonly reason: Code };
}

/**
 * Whether a thrown value is a refusal of the service, with one of the codes if any are named. Other failures,
 * such as a lost connection or an aborted call, are not refusals.
 */
export function isGatehouseError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is GatehouseError<Code> {
  if (!isErrorLike(error) || error.name !== 'TRPCClientError' || !('data' in error)) return false;
  const { data } = error;
  if (typeof data !== 'object' || data === null || !('reason' in data)) return false;
  const { reason } = data;
  return codes.length === 0 || codes.some((code) => code === reason);
}

/** A sign-in whose first factor was right and that takes a second step: `continueSignIn` takes it. */
export interface SecondFactorRequired extends GatehouseError<'second_factor_required'> {
  readonly data: GatehouseError<'second_factor_required'>['data'] & {
    /** Names the sign-in, for ten minutes. */
    readonly challenge: string;
    /** The ways to take the step. */
    readonly methods: readonly StepMethod[];
    /** When the challenge ends, as an ISO 8601 instant. */
    readonly expiresAt: string;
  };
}

/** Whether a sign-in takes a second step. The plain login of the replaced system refuses without a challenge. */
export function isSecondFactorRequired(error: unknown): error is SecondFactorRequired {
  if (!isGatehouseError(error, 'second_factor_required')) return false;
  return 'challenge' in error.data && typeof error.data.challenge === 'string';
}

/** A call that is hard to undo and asks who calls: `verification.prove` takes a proof, then the call can be repeated. */
export interface VerificationRequired extends GatehouseError<'verification_required'> {
  readonly data: GatehouseError<'verification_required'>['data'] & {
    readonly verification: VerificationNeed;
  };
}

/** Whether a call asks for a proof. */
export function isVerificationRequired(error: unknown): error is VerificationRequired {
  if (!isGatehouseError(error, 'verification_required')) return false;
  return 'verification' in error.data && error.data.verification !== undefined;
}

/**
 * Whether a thrown value is an error, of any realm: tests in Jest have an `Error` of their own, and a program may have loaded this
 * client both as ESM and as CommonJS.
 */
export function isErrorLike(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && 'message' in error;
}

/** `fetch` rejects with a TypeError if there is no answer; our fetch does so if a gateway answered. */
export function isUnreached(error: unknown): boolean {
  return isErrorLike(error) && isErrorLike(error.cause) && error.cause.name === 'TypeError';
}

/**
 * Whether the service did not answer, or said that it cannot at the moment: the network or the service is down, a gateway
 * answered, or a server client's time was over. The same may work soon; a change may have been made.
 */
export function isUnavailable(error: unknown): boolean {
  if (isUnreached(error) || isGatehouseError(error, 'unavailable')) return true;
  return isErrorLike(error) && isErrorLike(error.cause) && error.cause.name === 'TimeoutError';
}
