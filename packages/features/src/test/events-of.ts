import { randomUUID } from 'node:crypto';
import { sequenceEvents } from '@gatehouse/db/queries/events';
import { z } from 'zod';
import { EVENT_TYPES } from '../event/event-types.js';
import type { PeopleWorld } from './people-world.js';

const page = z.object({
  data: z.array(
    z.object({
      type: z.string(),
      subject: z.string(),
      actor: z.object({ kind: z.string(), id: z.int().optional() }),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** The events in the feed of an account since the beginning, each as its schema lists. */
export async function eventsOf(
  world: PeopleWorld,
  as: { readonly token: string; readonly accountId: number },
  types: readonly string[],
) {
  while ((await sequenceEvents(world.db, randomUUID(), 200)) > 0);
  const { data } = page.parse(
    await (await world.service.send('/v1/event/list', { ...as, body: { types } })).json(),
  );
  const schemas: Readonly<Record<string, { readonly data: z.ZodType }>> = EVENT_TYPES;
  for (const event of data) schemas[event.type]?.data.parse(event.data);
  return data;
}
