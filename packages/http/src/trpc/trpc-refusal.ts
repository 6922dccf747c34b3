import type {
  ErrorCode,
  InputIssue,
  StepMethod,
  UnknownPasskey,
  VerificationNeed,
} from '@gatehouse/auth-core';
import type { TRPCError } from '@trpc/server';
import {
  type TRPC_ERROR_CODE_KEY,
  type TRPC_ERROR_CODE_NUMBER,
  TRPC_ERROR_CODES_BY_KEY,
} from '@trpc/server/rpc';
import type { RequestContext } from '../server/request-context.js';
import { toFailure } from '../server/request-failure.js';

/** tRPC's names for the statuses of our errors. */
const TRPC_CODES: Readonly<Record<number, TRPC_ERROR_CODE_KEY>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
};

/** A refusal in tRPC's form. It is named so that the types of procedures refer to it instead of repeating it. */
export interface TrpcRefusal {
  message: string;
  code: TRPC_ERROR_CODE_NUMBER;
  data: {
    code: TRPC_ERROR_CODE_KEY;
    httpStatus: number;
    path?: string | undefined;
    /** The code of the catalogue. */
    reason: ErrorCode;
    /** The problems of the input, with their paths. */
    issues?: readonly InputIssue[] | undefined;
    /** The authentication that is still required, if that is the reason. */
    verification?: VerificationNeed | undefined;
    /** The second step a sign-in still takes: its challenge, the ways to prove, and when it ends. */
    challenge?: string | undefined;
    methods?: readonly StepMethod[] | undefined;
    expiresAt?: string | undefined;
    /** Until when no code is mailed to an unfamiliar place because of a reset by mail. */
    emailWithheldUntil?: string | undefined;
    /** The passkey that the client should forget. */
    signals?: UnknownPasskey | undefined;
    /** The flow of a mail that was sent to the caller, for `signIn.email`. */
    flow?: string | undefined;
    /** Where the browser begins the sign-in that the account requires. */
    startUrl?: string | undefined;
    /** Identifies this refusal in the log of the service. */
    requestId?: string | undefined;
    /** The `Retry-After` of this call; the header is for the whole batch. */
    retryAfterSeconds?: number | undefined;
  };
}

/** A failure in tRPC's form, with the public code as `data.reason` and without a stack. */
export function toTrpcRefusal({
  shape,
  error,
  ctx,
}: {
  shape: { readonly data: { readonly path?: string } };
  error: TRPCError;
  ctx: RequestContext | undefined;
}): TrpcRefusal {
  const failure = toFailure(error);
  const code = TRPC_CODES[failure.status] ?? 'INTERNAL_SERVER_ERROR';
  return {
    message: failure.message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: {
      code,
      httpStatus: failure.status,
      path: shape.data.path,
      reason: failure.code,
      issues: failure.issues,
      verification: failure.verification,
      challenge: failure.step?.challenge,
      methods: failure.step?.methods,
      expiresAt: failure.step?.expiresAt,
      emailWithheldUntil: failure.step?.emailWithheldUntil,
      signals: failure.signals,
      flow: failure.flow,
      startUrl: failure.startUrl,
      requestId: ctx?.call.requestId,
      retryAfterSeconds: failure.retryAfterSeconds,
    },
  };
}
