import { translator } from '../messages/translate.js';
import type words from './messages/en.json';

/** Says one of the messages about sessions, factors and security events. */
export const t = translator<keyof typeof words>();
