import { translator } from '../messages/translate.js';
import type words from './messages/en.json';

/** Says one of the messages of what stands around every screen. */
export const t = translator<keyof typeof words>();
