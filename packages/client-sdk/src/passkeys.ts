export {
  type AddedPasskey,
  addPasskey,
  type MadePasskey,
  makePasskey,
  type NewPasskey,
} from './passkeys/add-passkey.js';
export { autofillPasskey } from './passkeys/autofill-passkey.js';
export { arePasskeysSupported } from './passkeys/browser.js';
export { getPasskey } from './passkeys/get-passkey.js';
export type { AskedPasskey, PasskeyClient, PasskeySession, Signals } from './passkeys/passkey-client.js';
export { sendSignals } from './passkeys/send-signals.js';
export { signInWithPasskey } from './passkeys/sign-in-with-passkey.js';
