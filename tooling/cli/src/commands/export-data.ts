import { recordAudit } from '@gatehouse/features/audit/record-audit';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { openExportFolder } from '../export/export-folder.js';
import { writeExport } from '../export/write-export.js';
import { dataCipherIn, operatorAudit, operatorPath } from '../operator-audit.js';
import { createProgressBar } from '../progress-bar.js';
import { withDatabase } from '../with-database.js';

/** Writes everything for moving out. */
export const exportData = defineCommand({
  name: 'export',
  summary: 'write everything into a folder of JSON lines, as it is at one moment, while the services run',
  usage: ['--to <folder>; see docs/exporting.md'],
  options: {
    to: { type: 'string', value: '<folder>', about: 'a folder that is empty or not there' },
  },
  async run(context, { values: { to } }) {
    if (to === undefined) {
      context.say('usage: gatehouse export --to <folder>');
      return 2;
    }
    return exportFolder(context, operatorPath(context, to));
  },
});

async function exportFolder(context: CommandContext, path: string): Promise<number> {
  const { draw, say } = context;
  const cipher = dataCipherIn(context.env);
  const folder = await openExportFolder(path);
  return withDatabase(
    context,
    async (db) => {
      const nowMs = Date.now();
      await recordAudit(db, operatorAudit(context), {
        atMs: nowMs,
        action: 'database.exported',
        after: { format: 'gatehouse', withSecrets: false },
      });
      const { files } = await db.snapshot((snapshot) =>
        writeExport({
          db: snapshot,
          cipher,
          folder,
          nowMs,
          begin: (total) => createProgressBar({ title: 'rows', total, draw, say }).advance,
        }),
      );
      const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
      say(`${path} holds ${Object.keys(files).length} files of ${bytes.toLocaleString('en')} bytes.`);
      say('It holds the personal data of everybody, and no passwords or other secrets.');
      return 0;
    },
    { inHaste: false },
  );
}
