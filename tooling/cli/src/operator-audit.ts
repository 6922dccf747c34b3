import { resolve } from 'node:path';
import { createDataCipher, type DataCipher } from '@gatehouse/auth-core';
import type { AuditContext } from '@gatehouse/features/audit/record-audit';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { withDevelopmentSecrets } from '@gatehouse/runtime/config/secrets';
import type { CommandContext } from './command.js';

/**
 * The origin of the operator's actions. The key of the deployment is read when a line names a person, so commands that name
 * nobody need none.
 */
export function operatorAudit({ env }: Pick<CommandContext, 'env'>): AuditContext {
  return {
    services: {
      now: Date.now,
      get cipher() {
        return dataCipherIn(env);
      },
    },
  };
}

/** @throws {ConfigError} when DATA_ENCRYPTION_KEY is not valid */
export function dataCipherIn(env: CommandContext['env']): DataCipher {
  const { DATA_ENCRYPTION_KEY, DATA_ENCRYPTION_KEY_PREVIOUS } = configShape;
  const isDevelopment = env['NODE_ENV'] === 'development';
  const keys = readConfig(
    { DATA_ENCRYPTION_KEY, DATA_ENCRYPTION_KEY_PREVIOUS },
    isDevelopment ? withDevelopmentSecrets(env, '.data') : env,
  );
  return createDataCipher({
    key: keys.DATA_ENCRYPTION_KEY,
    previous: keys.DATA_ENCRYPTION_KEY_PREVIOUS,
  });
}

/**
 * A path relative to the operator's working folder, even if pnpm runs the command from the repository's root.
 */
export function operatorPath({ env }: Pick<CommandContext, 'env'>, path: string): string {
  return resolve(env['INIT_CWD'] ?? '.', path);
}
