import { messages as parts } from '@gatehouse/ui/languages/en';
import account from '../account/messages/en.json';
import actions from '../audit/actions/messages/en.json';
import audit from '../audit/messages/en.json';
import deletion from '../deletion/messages/en.json';
import developers from '../developers/messages/en.json';
import enrol from '../enrol/messages/en.json';
import own from '../messages/en.json';
import singleSignOn from '../single-sign-on/messages/en.json';

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
