import {
  finishPartnerRotation,
  rotatePartnerSecret as rotate,
} from '@gatehouse/features/partner/rotate-partner-secret';
import { defineCommand } from '../define-command.js';
import { withPartner } from '../with-partner-change.js';

const DAY_SECONDS = 86_400;
const MOST_DAYS = 90;

export const rotatePartnerSecret = defineCommand({
  name: 'rotate-partner-secret',
  summary: 'give a partner a new secretKey; shows it, this once',
  usage: ['<name> [--overlap-days <days>]', '<name> --finish'],
  words: { least: 1, most: 1 },
  options: {
    'overlap-days': {
      type: 'string',
      default: '7',
      value: '<days>',
      about: `how long the one before it works too, ${MOST_DAYS} at most; 7 unless given`,
    },
    finish: { type: 'boolean', default: false, about: 'let only the newest work, from now on' },
  },
  run(context, { values, positionals }) {
    const days = Number(values['overlap-days']);
    if (!(days >= 0 && days <= MOST_DAYS)) {
      context.say(`overlap-days: must be between 0 and ${MOST_DAYS}`);
      return Promise.resolve(2);
    }
    return withPartner(context, positionals[0] ?? '', async (change, { id: partnerId, name }) => {
      if (values.finish) {
        const isFinished = await finishPartnerRotation(change, partnerId);
        context.say(isFinished ? `Only the newest secretKey of ${name} works now.` : 'There was only one.');
        return 0;
      }
      const overlapSeconds = Math.round(days * DAY_SECONDS);
      const { secretKey, previousUntilMs } = await rotate(change, { partnerId, overlapSeconds });
      context.say(`The new secretKey of ${name}, shown only now: ${secretKey}`);
      context.say(
        previousUntilMs === null
          ? 'No other works any more.'
          : `The one before it works until ${new Date(previousUntilMs).toISOString()}.`,
      );
      return 0;
    });
  },
});
