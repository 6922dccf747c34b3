import { end } from './end.js';
import { endMany } from './end-many.js';
import { issueAuthToken } from './issue-auth-token.js';
import { list } from './list.js';
import { me } from './me.js';
import { refresh } from './refresh.js';
import { rename } from './rename.js';

/** A member's procedures for their own sessions, in both deployments. */
export const sessionProcedures = { end, endMany, issueAuthToken, list, me, refresh, rename };
