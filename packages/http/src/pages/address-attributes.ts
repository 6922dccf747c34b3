/**
 * The attributes of a field for an e-mail address. It is a field for text, because browsers refuse full-width letters in their
 * own fields for addresses and change what was typed; the service normalizes and checks it.
 */
export const ADDRESS_ATTRIBUTES = 'type="text" inputmode="email" autocapitalize="none" spellcheck="false"';
