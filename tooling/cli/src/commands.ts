import type { Command } from './command.js';
import { afterRestore, backup, restore } from './commands/backup-and-restore.js';
import { billing } from './commands/billing.js';
import { canonicalAddresses } from './commands/canonical-addresses.js';
import { createPersonnel } from './commands/create-personnel.js';
import { migrate, seedDemo } from './commands/database.js';
import { doctor } from './commands/doctor.js';
import { events } from './commands/events.js';
import { exportData } from './commands/export-data.js';
import { grants } from './commands/grants.js';
import { hashPasswords } from './commands/hash-passwords.js';
import { hashes } from './commands/hashes.js';
import { importRows } from './commands/import-rows.js';
import { keys } from './commands/keys.js';
import { mails } from './commands/mails.js';
import { move } from './commands/move.js';
import { openapi } from './commands/openapi.js';
import {
  addPartner,
  deactivatePartner,
  linkPartnerMembers,
  rotatePartnerSecret,
} from './commands/partners.js';
import { previewMails } from './commands/preview-mails.js';
import { pruneAudit } from './commands/prune-audit.js';
import { record } from './commands/record.js';
import { seedLoad } from './commands/seed-load.js';
import { shadow } from './commands/shadow.js';
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
  hashes,
  canonicalAddresses,
  seedDemo,
  seedLoad,
  importRows,
  move,
  record,
  shadow,
  exportData,
  doctor,
  start,
  createPersonnel,
  staffTicket,
  keys,
  addPartner,
  rotatePartnerSecret,
  deactivatePartner,
  linkPartnerMembers,
  events,
  webhooks,
  billing,
  mails,
  previewMails,
  openapi,
];
