import failures from '@gatehouse/ui/failure/messages/en.json';
import parts from '@gatehouse/ui/messages/en.json';
import proofs from '@gatehouse/ui/proof/messages/en.json';
import screens from '../messages/en.json';

/** All messages of these screens, so that a browser asks for one file. */
export const messages = { ...parts, ...failures, ...proofs, ...screens };
