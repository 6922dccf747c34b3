import type { AuthorityNeed } from './authority-over.js';

const permission = 'member.manage';
const SERVE = { permission, need: 'mayServe' } as const;
const CHANGE = { permission, need: 'mayChange' } as const;
const CHANGE_EVERYWHERE = { permission, need: 'mayChangeEverywhere' } as const;
/** Members cannot escape it by deleting themselves and coming back. */
const CHANGE_FOR_GOOD = { ...CHANGE_EVERYWHERE, orLeaving: true } as const;

/** The authority over a member that each action needs. Its procedure requires it, and the page of the member asks it. */
export const MEMBER_NEEDS = {
  unlock: SERVE,
  sendReset: SERVE,
  sendConfirmation: SERVE,
  seeSessions: SERVE,
  endSessions: CHANGE,
  changeName: CHANGE,
  changeAddress: CHANGE_EVERYWHERE,
  ban: CHANGE_FOR_GOOD,
  unban: CHANGE_FOR_GOOD,
  retryMail: SERVE,
} as const satisfies Readonly<Record<string, AuthorityNeed>>;
