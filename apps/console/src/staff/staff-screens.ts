import { ColleagueScreen } from './colleague.js';
import { NewColleagueScreen } from './new-colleague.js';
import { StaffScreen } from './staff.js';

/** The screens about staff, which a browser loads as one file: people go from a list to its rows. */
export const staffScreens = { ColleagueScreen, NewColleagueScreen, StaffScreen };
