import { translator } from '../messages/translate.js';
import type words from './messages/en.json';

/** Says one of the messages of the ways to prove who somebody is. */
export const t = translator<keyof typeof words>();
