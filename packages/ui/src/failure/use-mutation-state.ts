import { isGatehouseError } from '@gatehouse/client-sdk';
import { useRef } from 'react';
import { type Failure, type MutationState, useSend } from '../call/mutation-state.js';
import { FIELD_OF, issueText, refusalText, t } from './refusals.js';

let startCompanySignIn: ((startUrl: string) => void) | undefined;

/** Lets refusals that require the sign-in of a company offer it. The product remembers where the person was going. */
export function offerCompanySignIn(start: (startUrl: string) => void): void {
  startCompanySignIn = start;
}

/**
 * Why a call failed, in words to show. Codes of the service have our sentences; its own are the fallback.
 * @param fields the names of the existing fields; problems with others are shown above them
 */
export function explainError(error: unknown, fields: readonly string[] = []): Failure | undefined {
  if (isGivenUp(error)) return undefined;
  /** Shown if something was typed that is not the cause. */
  const kept = fields.length === 0 ? [] : [t('failure.kept')];
  if (!isGatehouseError(error)) {
    return { message: [t(reasonOf(error)), ...kept].join(' '), issues: [], mayRetry: true };
  }
  const { reason, issues = [], retryAfterSeconds, requestId, httpStatus, startUrl } = error.data;
  const start = startCompanySignIn;
  const sentence = refusalText(reason, fields) ?? error.message;
  const field = FIELD_OF[reason];
  const told = [
    ...issues.map(({ path, message }) => ({ path: fieldOf(path, fields), message: issueText(message) })),
    // The service's own sentence about the field is more precise.
    ...(field !== undefined && fields.includes(field) && !issues.some(({ path }) => path === field)
      ? [{ path: field, message: sentence }]
      : []),
  ];
  const own = told.filter(({ path }) => fields.includes(path));
  const others = told.filter(({ path }) => !fields.includes(path));
  const isAtFields = own.length > 0 && others.length === 0;
  const isElsewhere = httpStatus >= 500 || reason === 'unauthorized';
  return {
    message: isAtFields
      ? ''
      : [sentence, ...new Set(others.map(({ message }) => message)), ...(isElsewhere ? kept : [])].join(' '),
    issues: own,
    mayRetry: httpStatus >= 429,
    ...(retryAfterSeconds === undefined ? {} : { waitSeconds: retryAfterSeconds }),
    ...(httpStatus >= 500 && requestId !== undefined ? { requestId } : {}),
    ...(startUrl === undefined || start === undefined ? {} : { signInByCompany: () => start(startUrl) }),
  };
}

/** The field that an issue is about. Those of a list, such as `addresses.2`, share one. */
function fieldOf(path: string, fields: readonly string[]): string {
  const [first = path] = path.split('.');
  return !fields.includes(path) && fields.includes(first) ? first : path;
}

/** The errors of browsers that cannot work with a passkey (WebAuthn Level 3, 5.1.3 and 5.1.4). */
const OF_PASSKEYS = ['ConstraintError', 'NotSupportedError', 'SecurityError', 'UnknownError'];

/** Why a call had no answer, or why there is no passkey. */
function reasonOf(error: unknown) {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'InvalidStateError') return 'failure.passkeyHere';
  if (OF_PASSKEYS.includes(name)) return 'failure.passkey';
  return navigator.onLine ? 'failure.unreachable' : 'failure.offline';
}

/** Somebody closed the browser's passkey dialog, or another one replaced it. */
function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** Whether a call that failed may have succeeded: its answer did not arrive, or does not say. */
export function isUnsure(error: unknown): boolean {
  return !isGatehouseError(error) || isGatehouseError(error, 'unavailable', 'internal');
}

/**
 * One thing that a screen sends.
 * @param fields the names of its fields, at which issues are shown
 */
export function useMutationState(...fields: readonly string[]): MutationState {
  return useSend((error) => explainError(error, fields));
}

/**
 * Does something once, although the answer to an earlier attempt may have been lost: a refusal is final only if the action is not
 * done.
 * @returns takes the work, and a function that reads whether it is done; that is called after a refusal that follows an attempt
 * with a lost answer
 */
export function useOnce(): (
  work: () => Promise<void>,
  isDone: (refusal: unknown) => boolean | Promise<boolean>,
) => Promise<void> {
  const mayBeDone = useRef(false);
  return async (work, isDone) => {
    try {
      await work();
    } catch (error) {
      if (isUnsure(error)) mayBeDone.current = true;
      else if (mayBeDone.current && (await isDone(error))) return;
      throw error;
    }
  };
}
