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
import { CommitUnknownError, DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { UnstorableTextError } from '@gatehouse/db/dialect/stored-text';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { RequestContext } from './request-context.js';

type Issue = ZodError['issues'][number];

/** The prefixes of the validator's own messages. Custom messages begin differently. */
const OF_THE_VALIDATOR = /^(Invalid|Too (small|big)|Unrecognized)\b/;

/** A sentence about one wrong value of an input, for the sender. */
function issueSentence(issue: Issue): string {
  const said = OF_THE_VALIDATOR.test(issue.message) ? predicate(issue) : issue.message;
  return toSentence(issue.path.join('.'), said);
}

/** Completes the messages of schemas: `must be a number` has no subject; other messages are complete. */
function toSentence(path: string, said: string): string {
  if (!/^[a-z]/.test(said)) return said;
  return `${path === '' ? 'The input' : 'This field'} ${said}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  datetime: 'an instant such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
};

function predicate(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return bound('at least', Number(issue.minimum), issue);
    case 'too_big':
      return bound('at most', Number(issue.maximum), issue);
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'must be a whole number' : `must be a multiple of ${issue.divisor}`;
    case 'invalid_format': {
      const form = FORMATS[issue.format];
      return form === undefined ? 'is not written in the form it needs' : `must be ${form}`;
    }
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return union(issue.errors);
    default:
      return 'is not valid';
  }
}

function bound(
  kind: 'at least' | 'at most',
  figure: number,
  issue: Issue & { origin: string; inclusive?: boolean },
): string {
  const { origin, inclusive = true } = issue;
  if (origin === 'string') {
    return kind === 'at least' && figure === 1
      ? 'must not be empty'
      : `must have ${kind} ${counted(figure, 'character')}`;
  }
  if (origin === 'array' || origin === 'set') {
    const word = figure === 1 ? 'entry' : 'entries';
    return `must have ${kind} ${figure} ${word}`;
  }
  if (inclusive) return `must be ${kind} ${figure}`;
  return `must be ${kind === 'at least' ? 'more' : 'less'} than ${figure}`;
}

function counted(figure: number, noun: string): string {
  return `${figure} ${noun}${figure === 1 ? '' : 's'}`;
}

/** Among several allowed forms, the one of the right type has the most useful message. */
function union(errors: readonly (readonly Issue[])[]): string {
  const firsts = errors.flatMap(([first]) => first ?? []);
  const meant = firsts.find(({ code }) => code !== 'invalid_type');
  if (meant !== undefined) return OF_THE_VALIDATOR.test(meant.message) ? predicate(meant) : meant.message;
  const said = [...new Set(firsts.map(predicate))];
  const [only = 'is not valid'] = said;
  return said.length === 1
    ? only
    : `must be ${said.map((each) => each.replace(/^must be /, '')).join(' or ')}`;
}

/** How long a client should wait before it retries an unavailable service, in seconds. */
const UNAVAILABLE_RETRY_SECONDS = 2;

/** The maximum number of issues in an answer: a call with thousands of unknown fields does not get them all back. */
const MAX_ISSUES = 50;

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
  readonly startUrl?: string;
  readonly isForeseen: boolean;
}

/** The only place that turns thrown values into documented errors. */
export function toFailure(thrown: unknown): Failure {
  const error = thrown instanceof TRPCError && thrown.cause !== undefined ? thrown.cause : thrown;
  if (error instanceof AppError) return fromAppError(error);
  if (error instanceof ZodError && !isOutputFault(thrown)) {
    return { ...known('invalid_input'), issues: error.issues.slice(0, MAX_ISSUES).flatMap(toIssues) };
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
    ...(error.issues ? { issues: error.issues.slice(0, MAX_ISSUES).map(plainIssue) } : {}),
    ...(error.policy ? { policy: error.policy } : {}),
    ...(error.verification ? { verification: error.verification } : {}),
    ...(error.step ? { step: error.step } : {}),
    ...(error.signals ? { signals: error.signals } : {}),
    ...(error.flow === undefined ? {} : { flow: error.flow }),
    ...(error.startUrl === undefined ? {} : { startUrl: error.startUrl }),
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
    return issue.keys.slice(0, MAX_ISSUES).map((key) => unknownField([...path, key].join('.')));
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

/** Writes a refusal of access to the security log and ignores other failures. */
export function logDenied({ call, services }: RequestContext, { code, status }: Failure): void {
  if (status !== 403 && code !== 'unauthorized' && code !== 'invalid_partner_token') return;
  services.log.security({
    event: 'access.denied',
    requestId: call.requestId,
    address: call.address,
    actorId: call.facts.acting?.actorId ?? call.facts.memberId,
    memberId: call.facts.memberId,
    accountId: call.facts.accountId,
    reason: code,
  });
}
