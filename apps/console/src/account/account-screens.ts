import { AccountScreen } from './account.js';
import { BillingScreen } from './account-billing.js';
import { AccountsScreen } from './accounts.js';
import { PeopleScreen } from './people.js';

/** The screens about accounts, which a browser loads as one file: people go from a list to its rows. */
export const accountScreens = { AccountScreen, AccountsScreen, BillingScreen, PeopleScreen };
