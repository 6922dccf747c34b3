import { z } from 'zod';
import type { RunningService } from './start-service.js';

const outbox = z.object({
  data: z.array(
    z.object({
      id: z.number(),
      kind: z.string(),
      to: z.string(),
      subject: z.string(),
      state: z.string(),
      text: z.string(),
      html: z.string(),
    }),
  ),
});

export type OutboxMail = z.output<typeof outbox>['data'][number] & {
  /** The one-use token of the mail's link; empty without one. */
  readonly token: string;
};

/** Reads the latest mails of a service in development, newest first. */
export async function readOutbox(service: Pick<RunningService, 'send'>): Promise<OutboxMail[]> {
  const response = await service.send('/dev/outbox');
  const { data } = outbox.parse(await response.json());
  return data.map((mail) => ({ ...mail, token: /[?&]token=([\w.-]+)/.exec(mail.text)?.[1] ?? '' }));
}
