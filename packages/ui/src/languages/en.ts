import developers from '../developers/messages/en.json';
import failures from '../failure/messages/en.json';
import frame from '../frame/messages/en.json';
import parts from '../messages/en.json';
import proofs from '../proof/messages/en.json';
import screens from '../screen/messages/en.json';
import security from '../security/messages/en.json';
import team from '../team/messages/en.json';

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
