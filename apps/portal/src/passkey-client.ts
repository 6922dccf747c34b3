import type { PasskeyClient } from '@gatehouse/client-sdk/passkeys';
import { gatehouse } from './client.js';

/** The client as the helpers for passkeys take it. */
export const passkeyClient: PasskeyClient = gatehouse;
