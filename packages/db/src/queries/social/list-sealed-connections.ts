import { and, asc, gt, like, not, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { escapeLike } from '../text/escape-like.js';
