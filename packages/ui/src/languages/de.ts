import developers from '../developers/messages/de.json';
import failures from '../failure/messages/de.json';
import frame from '../frame/messages/de.json';
import parts from '../messages/de.json';
import proofs from '../proof/messages/de.json';
import screens from '../screen/messages/de.json';
import security from '../security/messages/de.json';
import team from '../team/messages/de.json';

/** All messages of the components for people who are signed in, so that a browser asks for one file. */
export const messages = {
  ...parts,
  ...developers,
  ...failures,
  ...frame,
  ...proofs,
  ...screens,
  ...security,
  ...team,
};
