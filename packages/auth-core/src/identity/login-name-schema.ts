import { storableText } from './storable-text.js';

/**
 * A name typed at a login: an e-mail address or another login identifier (`google:123`), 1 to 320 characters. It
 * is only looked up, so it need not be an address.
 */
export const loginNameSchema = storableText(320);
