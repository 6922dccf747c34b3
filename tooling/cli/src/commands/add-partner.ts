import { AppError } from '@gatehouse/auth-core';
import { addPartner as add } from '@gatehouse/features/partner/add-partner';
import { newPartnerSchema } from '@gatehouse/features/partner/partner-schemas';
import { defineCommand } from '../define-command.js';
import { holdsSecret } from '../holds-secret.js';
import { readStandardInput } from '../read-list.js';
import { withPartnerChange } from '../with-partner-change.js';

export const addPartner = defineCommand({
  name: 'add-partner',
  summary: 'add a partner; shows its secretKey, this once',
  usage: ['<name> <appUrl> [--id <partnerId>] [--secret-stdin]'],
  words: { least: 2, most: 2 },
  options: {
    id: {
      type: 'string',
      about: 'the partnerId that its systems send so far, kept as it is',
    },
    'secret-stdin': {
      type: 'boolean',
      default: false,
      about: 'read the secretKey it has so far from standard input',
    },
  },
  async run(context, { values, positionals }) {
    const [name, appUrl] = positionals;
    const given = values['secret-stdin'] ? (await readStandardInput()).trim() : undefined;
    const parsed = newPartnerSchema.safeParse({ name, appUrl, externalId: values.id, secretKey: given });
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) context.say(`${path.join('.')}: ${message}`);
      return 2;
    }
    if (given !== undefined && holdsSecret(context.env, given)) {
      context.say('secretKey: is a secret of this service; the partner needs one of its own');
      return 2;
    }
    return withPartnerChange(context, async (change) => {
      try {
        const { id, secretKey } = await add(change, parsed.data);
        context.say(`Added ${parsed.data.name}, number ${id}.`);
        if (given === undefined) context.say(`Its secretKey, shown only now: ${secretKey}`);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        context.say(error.message);
        return 1;
      }
    });
  },
});
