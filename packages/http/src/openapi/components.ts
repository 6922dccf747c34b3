import { type CredentialKind, ERRORS, type ErrorCode } from '@gatehouse/auth-core';
import { REFUSAL_SCHEMAS, refusalAnswer } from './answers.js';
import type { Operation, Reference, Response, Schema } from './document.js';

/** Shared parts of operations, collected while they are described. */
export interface Components {
  readonly schemas: Map<string, Schema>;
  readonly responses: Map<string, Response>;
}

export function newComponents(): Components {
  return { schemas: new Map(Object.entries(REFUSAL_SCHEMAS)), responses: new Map() };
}

/**
 * The answers to refusals, by status. Those with the same codes and sentences are one component.
 * @param credentials what the operation takes, if `invalid_credentials` has a sentence for that
 */
export function refusalAnswers(
  codes: readonly ErrorCode[],
  { responses }: Components,
  credentials: readonly CredentialKind[] = [],
): Operation['responses'] {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted(
    (one, other) => one - other,
  );
  const answers = statuses.map((status): [number, Reference] => {
    const own = [...new Set(codes.filter((code) => ERRORS[code].status === status))].toSorted();
    const key = own
      .map((code) => (code === 'invalid_credentials' ? [code, ...credentials].join('-') : code))
      .join('.');
    if (!responses.has(key)) responses.set(key, refusalAnswer(own, credentials));
    return [status, { $ref: `#/components/responses/${key}` }];
  });
  return Object.fromEntries(answers);
}
