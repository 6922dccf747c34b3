import { translator } from '../messages/translate.js';
import type words from './messages/en.json';

/** Says one of the messages about the members of an account and their invitations. */
export const t = translator<keyof typeof words>();
