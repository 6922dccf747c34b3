import { EditScreen } from './edit-member.js';
import { MemberScreen } from './member.js';
import { MemberMailScreen } from './member-mail.js';
import { SessionsScreen } from './member-sessions.js';

/** The screens about one member, which a browser loads as one file: people go from a list to its rows. */
export const memberScreens = { EditScreen, MemberMailScreen, MemberScreen, SessionsScreen };
