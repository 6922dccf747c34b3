import { consentRows, loginRows, type RestRow, sessionRows } from '@gatehouse/api-kit';

/** The whole HTTP surface of the admin service: one row per documented path. */
export const routes: readonly RestRow[] = [...loginRows, ...sessionRows, ...consentRows];
