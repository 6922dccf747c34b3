import { stopPartner } from '@gatehouse/features/partner/change-partner';
import { defineCommand } from '../define-command.js';
import { withPartner } from '../with-partner-change.js';

export const deactivatePartner = defineCommand({
  name: 'deactivate-partner',
  summary: 'shut a partner out, its tokens and the sessions it began',
  usage: ['<name>'],
  words: { least: 1, most: 1 },
  run: (context, { positionals }) =>
    withPartner(context, positionals[0] ?? '', async (change, partner) => {
      await stopPartner(change, partner.id);
      context.say(`${partner.name} is deactivated.`);
      return 0;
    }),
});
