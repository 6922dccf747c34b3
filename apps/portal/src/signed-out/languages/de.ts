import failures from '@gatehouse/ui/failure/messages/de.json';
import parts from '@gatehouse/ui/messages/de.json';
import proofs from '@gatehouse/ui/proof/messages/de.json';
import screens from '../messages/de.json';

/** All messages of these screens, so that a browser asks for one file. */
export const messages = { ...parts, ...failures, ...proofs, ...screens };
