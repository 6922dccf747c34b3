import { stopPartner } from '@gatehouse/features/partner/stop-partner';
import type { Command } from '../command.js';
import { withPartner } from '../with-partner-change.js';

export const deactivatePartner: Command = {
  name: 'deactivate-partner',
  summary: 'shut a partner out, its tokens and the sessions it began: <name>',
  run: (context) =>
    withPartner(context, context.args[0] ?? '', async (change, partner) => {
      await stopPartner(change, partner.id);
      context.say(`${partner.name} is deactivated.`);
      return 0;
    }),
};
