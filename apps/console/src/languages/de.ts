import { messages as parts } from '@gatehouse/ui/languages/de';
import account from '../account/messages/de.json';
import actions from '../audit/actions/messages/de.json';
import audit from '../audit/messages/de.json';
import deletion from '../deletion/messages/de.json';
import developers from '../developers/messages/de.json';
import enrol from '../enrol/messages/de.json';
import own from '../messages/de.json';
import singleSignOn from '../single-sign-on/messages/de.json';

/** All messages of the console. A folder of screens has messages of its own, and a line here. */
export const messages = {
  ...parts,
  ...own,
  ...account,
  ...actions,
  ...audit,
  ...deletion,
  ...developers,
  ...enrol,
  ...singleSignOn,
};
