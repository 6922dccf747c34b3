import type { MemberScope } from '@gatehouse/db';

/** The accounts that a list may show: the given ones, or all but those that need a session of a higher level. */
export type AccountScope = MemberScope;
