import type { Command } from '../command.js';
import { withDatabase } from '../with-database.js';

export const migrate: Command = {
  name: 'migrate',
  summary: 'apply the migrations that are missing; safe to run twice and while services run',
  run: (context) =>
    withDatabase(context, async (db) => {
      const { applied } = await db.migrate();
      for (const name of applied) context.say(`applied ${name}`);
      context.say(
        applied.length === 0 ? 'Nothing to apply: the database is up to date.' : `${applied.length} applied.`,
      );
      return 0;
    }),
};
