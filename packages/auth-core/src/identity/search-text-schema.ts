import { z } from 'zod';
import { storableText } from './storable-text.js';

/**
 * What is typed into a search: one line of at most 200 characters, or nothing, which restricts nothing. It is compared
 * in the form of `searchKey`.
 */
export const searchTextSchema = z.union([z.literal(''), storableText(200)], {
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be one line of at most 200 characters'),
});
