import type { Config } from '../core/config.js';

/** The pages of the front end that mails link to. */
export type AppPage =
  | 'confirm'
  | 'email-approval'
  | 'forgot'
  | 'invitation'
  | 'recovery'
  | 'reset'
  | 'restore';

/** The address of a front-end page, `{APP_URL}/confirm?token=…`. */
export function appLink(config: Pick<Config, 'APP_URL'>, page: AppPage, token?: string): string {
  return `${config.APP_URL}/${page}${token === undefined ? '' : `?token=${token}`}`;
}

/** The address of the page that ends a sign-in by mail. Servers and logs never see what follows the hash. */
export function signInLink(config: Pick<Config, 'APP_URL'>, token: string): string {
  return `${config.APP_URL}/signIn#email=${token}`;
}
