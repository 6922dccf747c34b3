import type { ErrorCode } from '@gatehouse/auth-core';
import type { Services } from '../app/services.js';

/** What a social flow ends with: a sign-in token, a code to finish a connection with, or the reason why not. */
export type FlowEnd =
  | { readonly user: string }
  | { readonly code: string; readonly provider: string }
  | { readonly error: ErrorCode };

/** Where the front end takes the end of a social flow. No request has a say in it. */
export function frontEndUrl({ APP_URL }: Pick<Services['config'], 'APP_URL'>, end: FlowEnd): string {
  return `${APP_URL}/socialAuth?${new URLSearchParams(Object.entries(end)).toString()}`;
}
