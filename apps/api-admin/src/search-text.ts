import { storableText } from '@gatehouse/auth-core';
import { z } from 'zod';

/** What is typed into a search: at most 200 characters, and nothing restricts nothing. */
export const searchText = z.union([z.literal(''), storableText(200)]).default('');
