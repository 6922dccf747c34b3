import { countWholeRows } from '@gatehouse/db/queries/read-whole-tables';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { createExportCipher, type ExportCipher, makeExportKey } from '../export/export-cipher.js';
import { openExportFolder } from '../export/export-folder.js';
import { readExportKey } from '../export/read-export-key.js';
import { writeExport } from '../export/write-export.js';
import { writeKeycloakRealm } from '../export/write-keycloak-realm.js';
import { writeWholeFile } from '../export/write-new-file.js';
import { dataCipherIn, operatorAudit, operatorPath } from '../operator-audit.js';
import { createProgressBar } from '../progress-bar.js';
import { rolesIn, withDatabase } from '../with-database.js';

const USAGE = '--to <folder> [--with-secrets [--key-file <file>]]';
const KEYCLOAK_USAGE = '--format keycloak --to <file> [--with-secrets]';

/** Writes everything for moving out. */
export const exportData = defineCommand({
  name: 'export',
  summary: 'write everything into a folder of JSON lines, as it is at one moment, while the services run',
  usage: [USAGE, `${KEYCLOAK_USAGE}; see docs/exporting.md`],
  options: {
    to: { type: 'string', value: '<path>', about: 'a folder that is empty or not there, or a new file' },
    format: {
      type: 'string',
      value: 'keycloak',
      about: 'write a realm that Keycloak imports, instead of everything',
    },
    'with-secrets': {
      type: 'boolean',
      default: false,
      about:
        'export passwords and other secrets too, sealed under a key that is shown once; for Keycloak in the clear',
    },
    'key-file': {
      type: 'string',
      value: '<file>',
      about: 'seal them under the key in this file, which is that of an earlier export',
    },
  },
  async run(context, { values }) {
    const { to, format, 'key-file': keyFile, 'with-secrets': withSecrets } = values;
    const isForKeycloak = format === 'keycloak';
    const isKeyWanted = withSecrets && !isForKeycloak;
    if (
      to === undefined ||
      (format !== undefined && !isForKeycloak) ||
      (keyFile !== undefined && !isKeyWanted)
    ) {
      context.say(`usage: gatehouse export ${USAGE}`);
      context.say(`       gatehouse export ${KEYCLOAK_USAGE}`);
      return 2;
    }
    if (isForKeycloak) return exportRealm(context, operatorPath(context, to), withSecrets);
    const exported = withSecrets ? await exportCipherFor(context, keyFile) : undefined;
    return exportFolder(context, operatorPath(context, to), exported);
  },
});

/** The cipher of the operator's key, or of a new one, which it shows. */
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

async function exportRealm(context: CommandContext, path: string, withSecrets: boolean): Promise<number> {
  const { draw, say } = context;
  const cipher = dataCipherIn(context.env);
  const roles = rolesIn(context);
  return withDatabase(
    context,
    async (db) => {
      const nowMs = Date.now();
      const after = { format: 'keycloak', withSecrets };
      await recordAudit(db, operatorAudit(context), { atMs: nowMs, action: 'database.exported', after });
      const notes = new Map<string, number>();
      const note = (what: string) => void notes.set(what, (notes.get(what) ?? 0) + 1);
      const { bytes } = await db.snapshot(async (snapshot) => {
        const total =
          (await countWholeRows(snapshot, 'accounts')) + (await countWholeRows(snapshot, 'members'));
        const { advance } = createProgressBar({ title: 'rows', total, draw, say });
        const realm = { db: snapshot, cipher, roles, withSecrets, nowMs, advance, note };
        return writeWholeFile(path, writeKeycloakRealm(realm));
      });
      say(`${path} has ${bytes.toLocaleString('en')} bytes.`);
      if (withSecrets) say('It holds hashes of passwords and secrets of authenticator apps in the clear.');
      for (const [what, count] of notes) say(`${count} members ${what}.`);
      return 0;
    },
    { inHaste: false },
  );
}
