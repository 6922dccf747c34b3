import { BulkScreen } from '../bulk/bulk.js';
import { DeletedScreen } from '../deletion/deleted.js';
import { MailScreen } from '../mail/mail.js';
import { HelpScreen } from './help.js';

/** Small screens that support moves between: one file is smaller than four. */
export const supportScreens = { BulkScreen, DeletedScreen, HelpScreen, MailScreen };
