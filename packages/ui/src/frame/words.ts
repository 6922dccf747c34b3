import { translator } from '../messages/translate.js';
import type words from './messages/en.json';

/** Translates a message of the frame around every screen. */
export const t = translator<keyof typeof words>();
