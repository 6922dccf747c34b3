import {
  consentProcedures,
  loginProcedures,
  passwordProcedures,
  registrationProcedures,
  sessionProcedures,
  t,
} from '@gatehouse/api-kit';
import { deactivate as deactivatePartner } from './partner/deactivate.js';
import { finishRotation } from './partner/finish-rotation.js';
import { list as listPartners } from './partner/list.js';
import { rotateSecret } from './partner/rotate-secret.js';
import { save as savePartner } from './partner/save.js';

/** Everything the admin service can do: one entry is one thing. */
export const procedures = {
  login: loginProcedures,
  partner: {
    ...consentProcedures,
    deactivate: deactivatePartner,
    finishRotation,
    list: listPartners,
    rotateSecret,
    save: savePartner,
  },
  password: passwordProcedures,
  registration: registrationProcedures,
  session: sessionProcedures,
};

export const router = t.router(procedures);

/** The contract that typed clients are built on. */
export type AdminRouter = typeof router;
