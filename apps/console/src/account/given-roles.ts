import type { Choice } from '@gatehouse/ui/form/select-field';
import { ROLE_NUMBERS, roleWords } from '../session/roles.js';
import type { WhatOneMay } from './what-one-may.js';

/** The roles that staff give in an account, as choices. */
export function givenRoles(may: WhatOneMay): readonly Choice[] {
  return ROLE_NUMBERS.filter((number) => may.mayGive(number)).map((number) => ({
    value: String(number),
    label: roleWords(number),
  }));
}
