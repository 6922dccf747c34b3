import { z } from 'zod';
import { freshProcedure } from '../../core/guard/procedures.js';
import { countExport } from './count-export.js';
import { exportCursor, exportedPage, placeIn, readExportedPage } from './exported-page.js';

const HOUR_MS = 3_600_000;

/** Everything we hold of the caller that is theirs, 1,000 records a page; one export an hour, and no secret. */
export const exportOwn = freshProcedure
  .meta({ about: { summary: 'Export all that is held of oneself', refuses: ['rate_limited'] } })
  .input(z.strictObject({ cursor: exportCursor }).prefault({}))
  .output(exportedPage)
  .query(async ({ ctx, input: { cursor } }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const place = placeIn(services.cipher, memberId, cursor);
    // A place of an older export begins another one.
    if (place === undefined || services.now() >= place.startedAtMs + HOUR_MS) await countExport(ctx);
    return readExportedPage(ctx, memberId, place);
  });
