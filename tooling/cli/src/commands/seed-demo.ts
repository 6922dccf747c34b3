import { createDataCipher } from '@gatehouse/auth-core';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { seedDemo as seed } from '@gatehouse/features/deployment/seed-demo';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { defineCommand } from '../define-command.js';
import { withDatabase } from '../with-database.js';

export const seedDemo = defineCommand({
  name: 'seed-demo',
  summary: 'write the demonstration data, once; refused in production',
  async run(context) {
    const { NODE_ENV, DATA_ENCRYPTION_KEY } = readConfig(
      { NODE_ENV: configShape.NODE_ENV, DATA_ENCRYPTION_KEY: configShape.DATA_ENCRYPTION_KEY },
      context.env,
    );
    if (NODE_ENV === 'production') {
      context.say('Refused: NODE_ENV is production (or not set, which means the same).');
      return 1;
    }
    return withDatabase(context, async (db) => {
      const isNew = await seed(db, {
        cipher: createDataCipher({ key: DATA_ENCRYPTION_KEY }),
        nowMs: Date.now(),
      });
      context.say(
        isNew
          ? `Written. Every password is ${DEMONSTRATION_PASSWORD}`
          : 'The database is not empty: nothing written.',
      );
      return 0;
    });
  },
});
