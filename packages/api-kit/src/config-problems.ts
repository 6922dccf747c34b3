import { list } from './config-values.js';

const PLACEHOLDER = /change.?me|placeholder|your[-_ ]|example|keyboard cat|secret[-_ ]?key|^(.)\1+$/i;

const WEBHOOK_SECRETS = [
  'STRIPE_WEBHOOK_SECRET',
  'PADDLE_SANDBOX_WEBHOOK_SECRET',
  'PADDLE_PRODUCTION_WEBHOOK_SECRET',
  'PADDLE_ADMIN_WEBHOOK_SECRET',
] as const;

/** What is wrong between variables, or wrong in production alone; each as `NAME: what`. */
export function configProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  if (env['JWT_SECRET_KEY_PREVIOUS'] && !env['JWT_SECRET_KEY_PREVIOUS_UNTIL']) {
    problems.push('JWT_SECRET_KEY_PREVIOUS_UNTIL: is missing; a previous key needs the date it ends');
  }
  if ((env['NODE_ENV'] ?? 'production') === 'production') {
    for (const name of ['JWT_SECRET_KEY', 'SESSION_SECRET']) {
      if (PLACEHOLDER.test(env[name] ?? ''))
        problems.push(`${name}: looks like a placeholder; use openssl rand -base64 48`);
    }
    for (const name of WEBHOOK_SECRETS) {
      const secrets = list.parse(env[name]);
      if (secrets.some((value) => Buffer.byteLength(value) < 16 || PLACEHOLDER.test(value)))
        problems.push(`${name}: must hold the secret that the provider shows for this endpoint`);
    }
  }
  const roles = [env['DESIGNER'] ?? '4', env['USER_MEMBER'] ?? '5', env['ACCOUNT_MANAGER'] ?? '6'].map(
    Number,
  );
  if (new Set(roles).size !== 3 || roles.some((value) => [0, 1, 2, 3, 11].includes(value))) {
    problems.push('DESIGNER, USER_MEMBER, ACCOUNT_MANAGER: must be distinct and outside 0, 1, 2, 3 and 11');
  }
  return problems;
}
