import {
  AppError,
  ERRORS,
  type ErrorCode,
  type InputIssue,
  type RatePolicy,
  type SignInStep,
  type UnknownPasskey,
  type VerificationNeed,
} from '@gatehouse/auth-core';
import { CommitUnknownError, DatabaseUnavailableError, UnstorableTextError } from '@gatehouse/db';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { issueSentence, toSentence } from './issue-sentence.js';

/** How long a client should wait before it retries an unavailable service, in seconds. */
const UNAVAILABLE_RETRY_SECONDS = 2;

/** An answer names as many; whoever sends thousands of unknown fields does not get them all back. */
const MOST_ISSUES = 50;

/** The parts of a failure a transport renders. `isForeseen` is false for faults, which must be logged. */
export interface Failure {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly issues?: readonly InputIssue[];
  readonly retryAfterSeconds?: number;
  readonly policy?: RatePolicy;
  readonly verification?: VerificationNeed;
  readonly step?: SignInStep;
  readonly signals?: UnknownPasskey;
  readonly flow?: string;
  readonly isForeseen: boolean;
}

/** The only place that turns thrown values into documented errors. */
export function toFailure(thrown: unknown): Failure {
  const error = thrown instanceof TRPCError && thrown.cause !== undefined ? thrown.cause : thrown;
  if (error instanceof AppError) return fromAppError(error);
  if (error instanceof ZodError && !isOutputFault(thrown)) {
    return { ...known('invalid_input'), issues: error.issues.slice(0, MOST_ISSUES).flatMap(toIssues) };
  }
  if (error instanceof UnstorableTextError) return known('invalid_input');
  if (error instanceof DatabaseUnavailableError) {
    const isForeseen = !(error instanceof CommitUnknownError);
    return { ...known('unavailable'), retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS, isForeseen };
  }
  if (thrown instanceof TRPCError) return fromTrpcError(thrown);
  return { ...known('internal'), isForeseen: false };
}

function known(code: ErrorCode): Failure {
  const { status, message } = ERRORS[code];
  return { code, status, message, isForeseen: true };
}

function fromAppError(error: AppError): Failure {
  return {
    ...known(error.code),
    message: error.message,
    isForeseen: error.status !== 500,
    ...(error.issues ? { issues: error.issues.slice(0, MOST_ISSUES).map(plainIssue) } : {}),
    ...(error.policy ? { policy: error.policy } : {}),
    ...(error.verification ? { verification: error.verification } : {}),
    ...(error.step ? { step: error.step } : {}),
    ...(error.signals ? { signals: error.signals } : {}),
    ...(error.flow === undefined ? {} : { flow: error.flow }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  };
}

/** Errors that tRPC's own adapter raises before a procedure runs. */
function fromTrpcError(error: TRPCError): Failure {
  switch (error.code) {
    case 'NOT_FOUND':
      return known('not_found');
    case 'METHOD_NOT_SUPPORTED':
      return known('method_not_allowed');
    case 'PAYLOAD_TOO_LARGE':
      return known('payload_too_large');
    case 'UNSUPPORTED_MEDIA_TYPE':
      return known('unsupported_media_type');
    case 'BAD_REQUEST':
    case 'PARSE_ERROR':
      return known('invalid_input');
    default:
      return { ...known('internal'), isForeseen: false };
  }
}

function isOutputFault(thrown: unknown): boolean {
  return thrown instanceof TRPCError && thrown.code === 'INTERNAL_SERVER_ERROR';
}

function toIssues(issue: ZodError['issues'][number]): InputIssue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MOST_ISSUES).map((key) => unknownField([...path, key].join('.')));
  return [{ path: path.join('.'), message: issueSentence(issue) }];
}

function plainIssue({ path, message }: InputIssue): InputIssue {
  return { path, message: toSentence(path, message) };
}

const UNKNOWN_FIELD = 'This field is not known here';

/** The issue of a field the input does not have. */
export function unknownField(path: string): InputIssue {
  return { path, message: UNKNOWN_FIELD };
}

/** Whether an issue is about an unknown field, which has no other name than the one in the request. */
export function isUnknownField({ message }: InputIssue): boolean {
  return message === UNKNOWN_FIELD;
}
