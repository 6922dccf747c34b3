import { AppError, type InputIssue } from '@gatehouse/auth-core';
import type { z } from 'zod';
import { accountIdFrom } from '../server/account-header.js';
import { unknownField } from '../server/errors.js';
import { type FieldTypes, fieldTypes, fromText } from './field-types.js';
import type { RestRequest } from './route.js';

/**
 * Turns a request to a derived path into its procedure's input. Fields keep their names; query fields are read
 * by their schema's type. A body without `accountId` means the account of `Accountid`.
 */
export function derivedInput(schema: z.ZodType | undefined): (request: RestRequest) => unknown {
  let known: FieldTypes | undefined;
  return ({ fields, isReading = false, account }) => {
    known ??= fieldTypes(schema);
    const types = known;
    const unknown = Object.keys(fields).filter((name) => !types.has(name));
    if (unknown.length > 0) throw new AppError('invalid_input', { issues: unknown.map(unknownField) });
    if (schema === undefined) return undefined;
    const input = isReading
      ? Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name, fromText(value, types.get(name))]),
        )
      : { ...fields };
    return types.has('accountId') ? withAccount(input, account) : input;
  };
}

function withAccount(input: Record<string, unknown>, account: string | undefined): Record<string, unknown> {
  const selected = accountIdFrom(account);
  if (selected === null) return input;
  const { accountId = selected } = input;
  if (accountId !== selected) throw new AppError('invalid_input', { issues: [otherAccount] });
  return { ...input, accountId };
}

const otherAccount: InputIssue = {
  path: 'accountId',
  message: 'This is another account than the Accountid header names',
};
