import { messages as parts } from '@gatehouse/ui/languages/en';
import developers from '../account/developers/messages/en.json';
import enterprise from '../account/enterprise/messages/en.json';
import account from '../account/messages/en.json';
import own from '../messages/en.json';
import connections from '../you/connections/messages/en.json';
import you from '../you/messages/en.json';
import security from '../you/security/messages/en.json';
import sessions from '../you/sessions/messages/en.json';

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
