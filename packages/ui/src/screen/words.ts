import { speaker } from '../messages/say.js';
import type words from './messages/en.json';

/** Says one of the messages of what all screens have. */
export const t = speaker<keyof typeof words>();
