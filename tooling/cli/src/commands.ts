import type { Command } from './command.js';
import { addPartner } from './commands/add-partner.js';
import { afterRestore } from './commands/after-restore.js';
import { backup } from './commands/backup.js';
import { billing } from './commands/billing.js';
import { canonicalAddresses } from './commands/canonical-addresses.js';
import { createPersonnel } from './commands/create-personnel.js';
import { deactivatePartner } from './commands/deactivate-partner.js';
import { doctor } from './commands/doctor.js';
import { grants } from './commands/grants.js';
import { hashPasswords } from './commands/hash-passwords.js';
import { importRows } from './commands/import-rows.js';
import { linkPartnerMembers } from './commands/link-partner-members.js';
import { mails } from './commands/mails.js';
import { migrate } from './commands/migrate.js';
import { openapi } from './commands/openapi.js';
import { previewMails } from './commands/preview-mails.js';
import { pruneAudit } from './commands/prune-audit.js';
import { restore } from './commands/restore.js';
import { rotatePartnerSecret } from './commands/rotate-partner-secret.js';
import { seedDemo } from './commands/seed-demo.js';
import { seedLoad } from './commands/seed-load.js';
import { staffTicket } from './commands/staff-ticket.js';
import { start } from './commands/start.js';
import { webhooks } from './commands/webhooks.js';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  migrate,
  grants,
  pruneAudit,
  backup,
  restore,
  afterRestore,
  hashPasswords,
  canonicalAddresses,
  seedDemo,
  seedLoad,
  importRows,
  doctor,
  start,
  createPersonnel,
  staffTicket,
  addPartner,
  rotatePartnerSecret,
  deactivatePartner,
  linkPartnerMembers,
  webhooks,
  billing,
  mails,
  previewMails,
  openapi,
];
