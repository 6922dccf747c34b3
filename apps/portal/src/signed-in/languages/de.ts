import { messages as parts } from '@gatehouse/ui/languages/de';
import developers from '../account/developers/messages/de.json';
import enterprise from '../account/enterprise/messages/de.json';
import account from '../account/messages/de.json';
import own from '../messages/de.json';
import connections from '../you/connections/messages/de.json';
import you from '../you/messages/de.json';
import security from '../you/security/messages/de.json';
import sessions from '../you/sessions/messages/de.json';

/** All messages of these screens. A folder of screens has messages of its own, and a line here. */
export const messages = {
  ...parts,
  ...own,
  ...account,
  ...developers,
  ...enterprise,
  ...you,
  ...connections,
  ...security,
  ...sessions,
};
