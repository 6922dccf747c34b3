import { recordAudit } from '@gatehouse/features/audit/record-audit';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { createExportCipher, type ExportCipher, makeExportKey } from '../export/export-cipher.js';
import { openExportFolder } from '../export/export-folder.js';
import { readExportKey } from '../export/read-export-key.js';
import { writeExport } from '../export/write-export.js';
import { dataCipherIn, operatorAudit, operatorPath } from '../operator-audit.js';
import { createProgressBar } from '../progress-bar.js';
import { withDatabase } from '../with-database.js';

const USAGE = '--to <folder> [--with-secrets [--key-file <file>]]';

/** Writes everything for moving out. */
export const exportData = defineCommand({
  name: 'export',
  summary: 'write everything into a folder of JSON lines, as it is at one moment, while the services run',
  usage: [`${USAGE}; see docs/exporting.md`],
  options: {
    to: { type: 'string', value: '<folder>', about: 'a folder that is empty or not there' },
    'with-secrets': {
      type: 'boolean',
      default: false,
      about: 'export passwords and other secrets too, sealed under a key that is shown once',
    },
    'key-file': {
      type: 'string',
      value: '<file>',
      about: 'seal them under the key in this file, which is that of an earlier export',
    },
  },
  async run(context, { values }) {
    const { to, 'key-file': keyFile, 'with-secrets': withSecrets } = values;
    if (to === undefined || (keyFile !== undefined && !withSecrets)) {
      context.say(`usage: gatehouse export ${USAGE}`);
      return 2;
    }
    const exported = withSecrets ? await exportCipherFor(context, keyFile) : undefined;
    return exportFolder(context, operatorPath(context, to), exported);
  },
});

/** The cipher of the key that the operator has, or of a new one, which it shows. */
async function exportCipherFor(context: CommandContext, keyFile: string | undefined): Promise<ExportCipher> {
  if (keyFile !== undefined) return readExportKey(context, keyFile);
  const key = makeExportKey();
  context.say(`The key of the secrets, shown only now: ${key}`);
  return createExportCipher(key);
}

async function exportFolder(
  context: CommandContext,
  path: string,
  exported: ExportCipher | undefined,
): Promise<number> {
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
        after: { format: 'gatehouse', withSecrets: exported !== undefined },
      });
      const { manifest, unreadable } = await db.snapshot((snapshot) =>
        writeExport({
          db: snapshot,
          cipher,
          exported,
          folder,
          nowMs,
          begin: (total) => createProgressBar({ title: 'rows', total, draw, say }).advance,
        }),
      );
      const files = Object.values(manifest.files);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      say(`${path} holds ${files.length} files of ${bytes.toLocaleString('en')} bytes.`);
      say(
        exported === undefined
          ? 'It holds the personal data of everybody, and no passwords or other secrets.'
          : 'It holds the personal data of everybody, and their secrets for who has the key.',
      );
      for (const [table, count] of unreadable)
        say(`${table}: ${count} secrets are left out, because no key of this deployment opens them.`);
      return unreadable.size === 0 ? 0 : 1;
    },
    { inHaste: false },
  );
}
