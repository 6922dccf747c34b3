import type { TrpcRefusal } from '@gatehouse/api-main/router';
import type { StepMethod, VerificationNeed } from './verification.js';

export type { TrpcRefusal } from '@gatehouse/api-main/router';

/** Every error code of the service. */
export type ErrorCode = TrpcRefusal['data']['reason'];

/** What only `isSecondFactorRequired` and `isVerificationRequired` narrow to. */
type Required = 'challenge' | 'methods' | 'expiresAt' | 'emailWithheldUntil' | 'verification';

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
  const { name, data } = (error ?? {}) as {
    readonly name?: unknown;
    readonly data?: { reason?: unknown } | null;
  };
  const reason = data?.reason;
  // By name, because a program may have loaded this client both as ESM and as CommonJS.
  if (name !== 'TRPCClientError' || reason === undefined) return false;
  return codes.length === 0 || codes.some((code) => code === reason);
}

/** A sign-in whose first factor was right and that still requires a second step: `continueSignIn` takes it. */
export interface SecondFactorRequired extends GatehouseError<'second_factor_required'> {
  readonly data: GatehouseError<'second_factor_required'>['data'] & {
    /** Names the sign-in, for ten minutes. */
    readonly challenge: string;
    /** The ways to take the step. */
    readonly methods: readonly StepMethod[];
    /** When the challenge ends, as an ISO 8601 instant. */
    readonly expiresAt: string;
    /** Until when no code is mailed to an unfamiliar place because of a reset by mail, as an ISO 8601 instant. */
    readonly emailWithheldUntil?: string | undefined;
  };
}

/** Whether a sign-in takes a second step. The plain login of the replaced system refuses without a challenge. */
export function isSecondFactorRequired(error: unknown): error is SecondFactorRequired {
  return isGatehouseError(error, 'second_factor_required') && 'challenge' in error.data;
}

/**
 * The refusal of a call that is hard to undo and requires a verification: `verification.prove` takes a proof, then the call can
 * be repeated.
 */
export interface VerificationRequired extends GatehouseError<'verification_required'> {
  readonly data: GatehouseError<'verification_required'>['data'] & {
    readonly verification: VerificationNeed;
  };
}

/** Whether a call asks for a proof. */
export function isVerificationRequired(error: unknown): error is VerificationRequired {
  return isGatehouseError(error, 'verification_required') && 'verification' in error.data;
}

/** `fetch` rejects with a TypeError if there is no answer; our fetch does the same if a gateway answered. */
export function isUnreached(error: unknown): boolean {
  return isCausedBy(error, 'TypeError');
}

/**
 * Whether the service did not answer, or said that it cannot at the moment: the network or the service is down, a gateway
 * answered, or a server client's time was over. The same may work soon; a change may have been made.
 */
export function isUnavailable(error: unknown): boolean {
  return isUnreached(error) || isGatehouseError(error, 'unavailable') || isCausedBy(error, 'TimeoutError');
}

/** By name, because tests in Jest have an `Error` of their own. */
function isCausedBy(error: unknown, name: string): boolean {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each property is read only where there is one
  return (error as { readonly cause?: { readonly name?: unknown } } | null | undefined)?.cause?.name === name;
}
