import type { Choice } from '@gatehouse/ui/form/select-field';
import { ROLE_NUMBERS, roleWords } from '../session/roles.js';
import type { AccountPage } from './account-page.js';

/** The roles that staff give in an account, as choices. */
export function givenRoles({ givableRoles }: AccountPage): readonly Choice[] {
  return ROLE_NUMBERS.filter((number) => givableRoles.includes(number)).map((number) => ({
    value: String(number),
    label: roleWords(number),
  }));
}
