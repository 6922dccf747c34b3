import { restoreFile } from '@gatehouse/db/backup/restore-file';

/** Restores as the command does, and prints a line when it begins and one for each step that can be seen. */
const [path = '', from = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
const { former } = await restoreFile(path, from, {
  nowMs: Date.now(),
  prepare: async (db) => {
    await db.write(db.update(db.tables.members).set({ firstName: 'prepared' }));
  },
  onProgress: () => undefined,
});
process.stdout.write(`restored ${former ?? 'nothing'}\n`);
