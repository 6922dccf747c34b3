import { AuditScreen } from './audit.js';
import { TrailScreen } from './trail.js';

/** The screens about what happened, which a browser loads as one file: people go from a list to its rows. */
export const auditScreens = { AuditScreen, TrailScreen };
