import { expect, it } from 'vitest';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from './event-types.js';
import { sampleEvent } from './sample-events.js';

it('a sample of each type of event has the data that its schema lists', () => {
  for (const type of EVENT_TYPE_NAMES) {
    const { data } = sampleEvent(type);
    expect([type, EVENT_TYPES[type].data.safeParse(data).error]).toEqual([type, undefined]);
  }
});
