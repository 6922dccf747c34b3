import type { ForeignFields, ForeignLine, ForeignReader } from './foreign-line.js';
import { readFlag } from './read-flag.js';

/** Users of a pool of Amazon Cognito. It never exports password hashes. */
export const cognito: ForeignReader = {
  files: { users: 'users as CSV, with the columns of the header of a user import' },
  roles: {},
  async *read({ readCsv }) {
    for await (const { file, number, value, problem } of readCsv('users'))
      yield { file, number, ...(value === undefined ? { problem } : personIn(value)) };
  },
};

function personIn(fields: ForeignFields): Pick<ForeignLine, 'person' | 'problem' | 'notes'> {
  const id = fields['sub'] ?? fields['cognito:username'];
  const [isConfirmed, hasFactor] = [
    readFlag(fields['email_verified']),
    readFlag(fields['cognito:mfa_enabled']),
  ];
  const isEnabled = readFlag(fields['enabled'] ?? 'true');
  if (id === undefined) return { problem: 'has neither sub nor cognito:username' };
  if (isConfirmed === undefined || hasFactor === undefined || isEnabled === undefined)
    return { problem: 'has a flag that is neither true nor false' };
  const username = fields['cognito:username'];
  return {
    person: {
      id,
      email: fields['email'],
      isConfirmed,
      // Pools without usernames identify people by their sub.
      username: username === fields['sub'] || username === fields['email'] ? undefined : username,
      alias: fields['preferred_username'],
      name: fields['name'],
      firstName: fields['given_name'],
      lastName: fields['family_name'],
      isDisabled: !isEnabled,
    },
    notes: hasFactor ? ['second factors, which Cognito does not give'] : [],
  };
}
