import type { PasskeyClient } from '@gatehouse/client-sdk/passkeys';
import { gatehouse } from './client.js';

/** The client as the helpers for passkeys take it. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- createMainClient is what those helpers are written for; only their declared inputs are wider.
export const passkeyClient = gatehouse as unknown as PasskeyClient;
