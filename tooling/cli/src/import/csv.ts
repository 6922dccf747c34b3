import type { ForeignFields, ForeignLine, ForeignReader } from './foreign-line.js';
import { FLAG_WORDS, readFlag } from './read-flag.js';

/** The columns that are read. The names of the first line say which is which. */
const COLUMNS = [
  'id',
  'email',
  'confirmed',
  'username',
  'name',
  'firstName',
  'lastName',
  'password',
  'plainPassword',
  'disabled',
  'createdAt',
  'role',
] as const;

/** People in a table, for example the result of a query in the operator's own database. */
export const csv: ForeignReader = {
  files: { people: 'a CSV file with a header' },
  roles: {},
  async *read({ readCsv }) {
    for await (const { file, number, value, problem } of readCsv('people'))
      yield { file, number, ...(value === undefined ? { problem } : personIn(value)) };
  },
};

function personIn(fields: ForeignFields): Pick<ForeignLine, 'person' | 'problem' | 'notes'> {
  const { id, email, username, name, firstName, lastName, password, plainPassword, createdAt, role } = fields;
  const unknown = Object.keys(fields).filter((column) => !COLUMNS.some((each) => each === column));
  if (unknown.length > 0)
    return { problem: `has the column ${unknown[0]}, which is none of ${COLUMNS.join(', ')}` };
  if (id === undefined) return { problem: 'has no id' };
  const [isConfirmed, isDisabled] = [readFlag(fields['confirmed']), readFlag(fields['disabled'])];
  if (isConfirmed === undefined || isDisabled === undefined)
    return { problem: `has a flag that is none of ${FLAG_WORDS.join(', ')}` };
  const roles = role === undefined ? [] : [role];
  const names = { username, name, firstName, lastName };
  return {
    person: { id, email, isConfirmed, ...names, password, plainPassword, isDisabled, createdAt, roles },
  };
}
