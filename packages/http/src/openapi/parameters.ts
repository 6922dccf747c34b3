import type { Rule } from '../trpc/rule.js';
import type { Parameter, Reference } from './document.js';

/** Request headers, by their key in the document. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'A name for this request, 1 to 64 of `A-Z a-z 0-9 . _ -`; one is made where it is not of this form.',
    schema: { type: 'string', maxLength: 1000 },
  },
  Apptype: {
    name: 'Apptype',
    in: 'header',
    description:
      "The application a login is for, in base64: `web`, `mobile`, `designer` or `admin`; the deployment's own without it.",
    schema: { type: 'string', maxLength: 1000, pattern: '^[A-Za-z0-9+/]*={0,2}$' },
    example: 'd2Vi',
  },
  SelectedAccount: {
    ...accountHeader('The account this request acts in.'),
    required: true,
  },
  AccountOfMembers: accountHeader('The account this request acts in; staff may leave it out.'),
  Account: accountHeader('The account this request acts in; without it, none.'),
};

function accountHeader(description: string): Parameter {
  return {
    name: 'Accountid',
    in: 'header',
    description,
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    example: 1,
  };
}

/** The headers read by a procedure with this rule. */
export function headerParameters(rule: Rule, readsApptype: boolean): Reference[] {
  const keys = [...accountKeys(rule), ...(readsApptype ? ['Apptype'] : []), 'RequestId'];
  return keys.map((key) => ({ $ref: `#/components/parameters/${key}` }));
}

function accountKeys(rule: Rule): string[] {
  switch (rule.who) {
    case 'account':
      return [rule.staffWithoutAccount ? 'AccountOfMembers' : 'SelectedAccount'];
    case 'member':
    case 'staff':
    case 'root':
      return ['Account'];
    default:
      return [];
  }
}

/** A parameter, or the one that a reference leads to. */
export function parameterAt(given: Parameter | Reference): Parameter {
  if (!('$ref' in given)) return given;
  const found = PARAMETERS[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`Nothing is at ${given.$ref}`);
  return found;
}

/** Whether examples show it. Members must select an account, and staff may omit it; most callers are members. */
export function isUsuallySent(given: Parameter | Reference): boolean {
  return (
    parameterAt(given).required === true || ('$ref' in given && given.$ref.endsWith('/AccountOfMembers'))
  );
}
