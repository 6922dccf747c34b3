import { expect, it } from 'vitest';
import { z } from 'zod';
import { derivedInput } from './procedure-rows.js';

it('a query is read as the schema types it, and digits in texts stay text', () => {
  const schema = z.object({
    ids: z.array(z.number().int()).optional(),
    names: z.array(z.string()).optional(),
    name: z.string(),
    limit: z.number().int().nullish(),
    isOpen: z.boolean().optional(),
  });
  const fields = { ids: '7', names: ['1', 'b'], name: '42', limit: '3', isOpen: 'true' };
  const read = derivedInput(schema)({ fields, params: {}, isReading: true });
  expect(read).toEqual({ ids: [7], names: ['1', 'b'], name: '42', limit: 3, isOpen: true });
});
