import { type RestRow, rawRow } from '@gatehouse/api-kit';
import { begin } from './begin.js';
import { conclude } from './conclude.js';
import { deleteData, deletionStatus } from './data-deletion.js';

/** Where browsers go to a provider and come back, and where Facebook asks for deletions. */
export const socialVisitRows: readonly RestRow[] = [
  rawRow(['POST'], '/social/facebook/dataDeletion', 'Deletes what Facebook told about a person', deleteData),
  rawRow(
    ['GET'],
    '/social/facebook/dataDeletion/:code',
    'Tells what became of such a deletion',
    deletionStatus,
  ),
  rawRow(['GET'], '/social/:provider', 'Sends a browser to a provider to sign in or connect', begin),
  rawRow(['GET'], '/social/:provider/callback', 'Takes a browser back from a provider', conclude),
];
