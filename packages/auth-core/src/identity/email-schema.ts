import { z } from 'zod';
import { canonicalAddress, vouchedAddress } from './canonical-address.js';
import { storableText } from './storable-text.js';

/** Longer than an address may be, because normalization shortens full-width and decomposed text. */
const MAX_TYPED_LENGTH = 320;

/** An e-mail address as typed by a person, of which the canonical form is kept (`canonicalAddress`). */
export const emailSchema = z
  .string()
  .trim()
  .pipe(storableText(MAX_TYPED_LENGTH))
  .transform((text, { addIssue }) => {
    const address = canonicalAddress(text);
    if (address === undefined) addIssue({ code: 'custom', message: 'must be an e-mail address' });
    return address ?? z.NEVER;
  });

/** An e-mail address that a partner or an import vouches for, of which the canonical form is kept (`vouchedAddress`). */
export const vouchedEmailSchema = storableText(MAX_TYPED_LENGTH).transform((text, { addIssue }) => {
  const address = vouchedAddress(text);
  if (address === undefined)
    addIssue({ code: 'custom', message: 'must be an e-mail address in its normal form (NFKC, any case)' });
  return address ?? z.NEVER;
});
