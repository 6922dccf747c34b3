import { listDeadMails, setMailDue } from '@gatehouse/db';
import type { Command } from '../command.js';
import { withDatabase } from '../with-database.js';

const MOST_LINES = 200;
const USAGE = 'list | retry <id…>';

export const mails: Command = {
  name: 'mails',
  summary: `mails that were given up: ${USAGE}`,
  async run(context) {
    const [verb, ...rest] = context.args;
    const ids = rest.map(Number);
    const isKnown = (verb === 'list' && ids.length === 0) || (verb === 'retry' && ids.length > 0);
    if (!isKnown || ids.some((id) => !Number.isSafeInteger(id) || id < 1)) {
      context.say(`usage: gatehouse mails ${USAGE}`);
      return 2;
    }
    return withDatabase(context, async (db) => {
      if (verb === 'list') {
        const dead = await listDeadMails(db, MOST_LINES);
        for (const { id, kind, recipient, createdAtMs, attempts, lastError } of dead) {
          const when = new Date(createdAtMs).toISOString();
          context.say(`${id}  ${when}  ${kind}  ${recipient}  ${attempts} tries  ${lastError ?? ''}`);
        }
        if (dead.length === 0) context.say('No mail was given up.');
        return 0;
      }
      const due = await Promise.all(ids.map((id) => setMailDue(db, id, Date.now())));
      for (const [index, isDue] of due.entries()) {
        context.say(
          `${ids[index]}: ${isDue ? 'will be tried again' : 'not given up, or its content is gone'}`,
        );
      }
      return due.every(Boolean) ? 0 : 1;
    });
  },
};
