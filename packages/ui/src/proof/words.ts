import { translator } from '../messages/translate.js';
import type words from './messages/en.json';

/** Says one of the messages of the ways to prove a person's identity. */
export const t = translator<keyof typeof words>();
