import {
  consentRows,
  loginRows,
  passwordRows,
  type RestRow,
  registrationRows,
  sessionRows,
} from '@gatehouse/api-kit';

/** The whole HTTP surface of the admin service: one row per documented path. */
export const routes: readonly RestRow[] = [
  ...loginRows,
  ...sessionRows,
  ...passwordRows,
  ...registrationRows,
  ...consentRows,
];
