import type { ErrorCode } from '@gatehouse/auth-core';
import type { Services } from '../core/context.js';

/** The result of a social flow: a sign-in token, a code to finish a connection, or the reason for neither. */
export type FlowEnd =
  | { readonly user: string }
  | { readonly code: string; readonly provider: string }
  | { readonly error: ErrorCode };

/** The front end's address for the end of a social flow. Requests cannot change it. */
export function frontEndUrl({ APP_URL }: Pick<Services['config'], 'APP_URL'>, end: FlowEnd): string {
  return `${APP_URL}/socialAuth?${new URLSearchParams(Object.entries(end)).toString()}`;
}
