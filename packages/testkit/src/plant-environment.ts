import { plantCanary } from './canaries.js';

const SECRET_NAME = /SECRET|KEY|TOKEN|PASSWORD/;

/** Records the secrets of an environment. */
export function plantEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (SECRET_NAME.test(name)) for (const each of (value ?? '').split(',')) plantCanary(each);
  }
}
