import { loginProcedures, sessionProcedures, t } from '@gatehouse/api-kit';

/** Everything the admin service can do: one entry is one thing. */
export const procedures = {
  login: loginProcedures,
  session: sessionProcedures,
};

export const router = t.router(procedures);

/** The contract that typed clients are built on. */
export type AdminRouter = typeof router;
