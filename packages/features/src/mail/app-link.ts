import type { Config } from '../core/config.js';
import type { Services } from '../core/context.js';

/** The pages of the front end that mails link to. */
type AppPage = 'confirm' | 'email-approval' | 'forgot' | 'invitation' | 'recovery' | 'reset' | 'restore';

/** The address of a front-end page, `{APP_URL}/confirm?token=…`. */
export function appLink(config: Pick<Config, 'APP_URL'>, page: AppPage, token?: string): string {
  return `${config.APP_URL}/${page}${token === undefined ? '' : `?token=${token}`}`;
}

/** The screens of the portal that notices link to. */
type PortalScreen =
  | ''
  | 'you/security'
  | 'you/sessions'
  | `a/${number}/${'team' | 'developers' | `developers/endpoints/${number}` | 'settings/directory'}`;

/** The address of a screen of the portal, or of the front end where that is another program. */
export function screenLink(
  {
    APP_URL,
    BASE_URL,
    MAIN_URL = BASE_URL,
    PORTAL,
  }: Pick<Config, 'APP_URL' | 'BASE_URL' | 'MAIN_URL' | 'PORTAL'>,
  screen: PortalScreen,
): string {
  return PORTAL && APP_URL === MAIN_URL ? `${APP_URL}/portal/${screen}` : APP_URL;
}

/** The address of a screen of the console, which the admin service serves, or of the front end if its address is not known. */
export function consoleLink(
  { ADMIN_URL, APP_URL }: Pick<Config, 'ADMIN_URL' | 'APP_URL'>,
  screen: string,
): string {
  return ADMIN_URL === undefined ? APP_URL : `${ADMIN_URL}/console/${screen}`;
}

/** The address of the page that ends a sign-in by mail. Servers and logs never see what follows the hash. */
export function signInLink(config: Pick<Config, 'APP_URL'>, token: string): string {
  return `${config.APP_URL}/signIn#email=${token}`;
}

/** The member whose password a link sets: nobody once the address or the password has changed. */
export interface ResetSubject {
  readonly id: number;
  readonly email: string;
  readonly passwordChangedAtMs: number | null;
}

/** A link that sets a password once, within `ttlSeconds`. It may only be mailed. */
export function resetLink(
  { tokens, config }: Pick<Services, 'tokens' | 'config'>,
  { id: userId, email, passwordChangedAtMs }: ResetSubject,
  ttlSeconds: number,
): string {
  const { token } = tokens.sealOneUse(
    { type: 'passwordReset', userId, email, passwordChangedAtMs },
    ttlSeconds,
  );
  return appLink(config, 'reset', token);
}
