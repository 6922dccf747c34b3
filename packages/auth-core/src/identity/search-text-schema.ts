import { z } from 'zod';
import { storableText } from './storable-text.js';

/**
 * A search text: one line of at most 200 characters. An empty one matches everything. It is compared in the
 * form of `searchKey`.
 */
export const searchTextSchema = z.union([z.literal(''), storableText(200)], {
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be one line of at most 200 characters'),
});
