import type { EventType } from '@gatehouse/features/event/event';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '@gatehouse/features/event/event-types';
import { sampleEvent } from '@gatehouse/features/event/sample-events';
import { toJSONSchema } from 'zod';

const SAMPLE = { id: 'evt_p0mX2b8kQ7dWc3rLhVn1TzAe', atMs: Date.UTC(2030, 0, 15, 9) };

const HEADERS = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: 'The id of the event. A repetition has the same.' },
    'webhook-timestamp': {
      type: 'string',
      description: 'When this attempt was made, in seconds since 1970.',
    },
    'webhook-signature': {
      type: 'string',
      description:
        '`v1,` and the HMAC-SHA256 over `id.timestamp.body` in base64. Two during a rotation, newest first.',
    },
  },
};

const kindOf = (type: EventType): string => type.split('.')[0] ?? '';

const KINDS = [...new Set(EVENT_TYPE_NAMES.map(kindOf))];

/** The AsyncAPI 3.1 document of the deliveries to endpoints. */
export function renderAsyncApi(): string {
  const document = {
    asyncapi: '3.1.0',
    info: {
      title: 'Events of Gatehouse',
      version: '1.0.0',
      description:
        'What Gatehouse sends to the endpoints of an account or of the deployment, signed as Standard Webhooks says. An added optional field keeps the version of a type, so receivers ignore fields that they do not know.',
      tags: KINDS.map((name) => ({ name })),
    },
    defaultContentType: 'application/json',
    channels: {
      endpoint: {
        address: null,
        description: 'The address that `eventEndpoint.save` has been given. Each event is a POST to it.',
        messages: Object.fromEntries(
          EVENT_TYPE_NAMES.map((type) => [type, { $ref: `#/components/messages/${type}` }]),
        ),
      },
    },
    operations: {
      deliver: {
        action: 'send',
        channel: { $ref: '#/channels/endpoint' },
        summary: 'Deliver an event',
        description:
          'At least once, in the order of the changes of each subject. Any answer with 2xx within 10 seconds counts; others are followed by repetitions for 72 hours.',
      },
    },
    components: {
      messages: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, messageOf(type)])),
      schemas: { headers: HEADERS },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function messageOf(type: EventType) {
  const { version, data } = EVENT_TYPES[type];
  return {
    name: type,
    title: type,
    tags: [{ name: kindOf(type) }],
    headers: { $ref: '#/components/schemas/headers' },
    payload: {
      type: 'object',
      required: [
        'id',
        'type',
        'version',
        'timestamp',
        'subject',
        'subjectVersion',
        'accountId',
        'actor',
        'data',
      ],
      properties: {
        id: { type: 'string' },
        type: { const: type },
        version: { const: version },
        timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
        subject: { type: 'string', description: 'The kind and the id of what has changed.' },
        subjectVersion: { type: 'integer', description: 'Counts the events of the subject.' },
        accountId: { type: ['integer', 'null'] },
        actor: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { type: 'string' }, id: { type: 'integer' } },
        },
        data: openSchema(toJSONSchema(data, { target: 'draft-7' })),
      },
    },
    examples: [{ name: type, payload: sampleEvent(type, SAMPLE) }],
  };
}

/** The schema without the rule against fields that a later release may add. */
function openSchema({
  $schema: _dialect,
  additionalProperties: _closed,
  ...schema
}: Record<string, unknown>) {
  return schema;
}
