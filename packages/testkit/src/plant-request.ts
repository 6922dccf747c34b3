import { plantCanary } from './canaries.js';

const SECRET_FIELD = /password|token|secret|challenge|backupCode/i;

/** Records the secrets of a request: the token, the bearer, and each field with a secret's name. */
export function plantRequest(request: {
  readonly token?: string | undefined;
  readonly bearer?: string | undefined;
  readonly body?: unknown;
}): void {
  plantCanary(request.token);
  plantCanary(request.bearer);
  if (typeof request.body !== 'object' || request.body === null) return;
  for (const [name, value] of Object.entries(request.body)) if (SECRET_FIELD.test(name)) plantCanary(value);
}
