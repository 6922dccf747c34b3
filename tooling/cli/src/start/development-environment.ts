import { withDevelopmentSecrets } from '@gatehouse/runtime/config/development-secrets';
import { billingEnvironment, providerEnvironment } from '@gatehouse/simulator';
import type { CommandContext } from '../command.js';
import { API_MAIN, pageUrlOf, SIMULATOR, urlOf } from './programs.js';

/** The usual ports of front ends' development servers. */
const LOCAL_FRONT_ENDS = ['localhost', '127.0.0.1'].flatMap((host) => [
  `http://${host}:3000`,
  `http://${host}:5173`,
]);

/**
 * The environment of the programs in a development start: everything has a default, and given values take
 * precedence.
 */
export function developmentEnvironment(
  given: CommandContext['env'],
  dataDirectory: string,
): Record<string, string> {
  const main = pageUrlOf(API_MAIN, given);
  const env = withDevelopmentSecrets(
    {
      DATABASE_URL: `file:${dataDirectory}/gatehouse.db`,
      BASE_URL: main,
      APP_URL: main,
      CORS_ORIGINS: LOCAL_FRONT_ENDS.join(','),
      LOG_LEVEL: 'info',
      ...simulatedProviders(given),
      ...simulatedPayments(given),
      ...given,
      NODE_ENV: 'development',
    },
    dataDirectory,
  );
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The simulator plays providers without credentials in the environment. */
function simulatedProviders(given: CommandContext['env']): Record<string, string> {
  const variables = Object.entries(providerEnvironment(urlOf(SIMULATOR, given)));
  const isPlayed = (name: string) => given[`${name.split('_')[0]}_CLIENT_ID`] === undefined;
  return Object.fromEntries(variables.filter(([name]) => isPlayed(name)));
}

/** The simulator handles payments when the environment has no key of either provider. */
function simulatedPayments(given: CommandContext['env']): Record<string, string> {
  if (given['STRIPE_API_KEY'] || given['PADDLE_API_KEY']) return {};
  return billingEnvironment(urlOf(SIMULATOR, given));
}
