import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listGuardedWrites } from '../test/list-guarded-writes.js';

const QUERIES = fileURLToPath(new URL('.', import.meta.url));

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

/** Where code of the other packages is that runs in production. */
const OTHERS = [
  'packages/auth-core',
  'packages/runtime',
  'packages/http',
  'packages/features',
  'apps/api-main',
  'apps/api-admin',
  'tooling/cli',
];

/** Fills new databases for demonstrations of load. */
const LOAD = 'tooling/cli/src/load/';

async function shippedSources(): Promise<{ path: string; source: string }[]> {
  const folders = await Promise.all(
    OTHERS.map(async (folder) =>
      (await readdir(`${REPOSITORY}/${folder}/src`, { recursive: true })).map(
        (file) => `${folder}/src/${file}`,
      ),
    ),
  );
  const paths = folders
    .flat()
    .filter(
      (path) => /\.tsx?$/.test(path) && !/\.test\.ts$|\/test\/|\.d\.ts$/.test(path) && !path.startsWith(LOAD),
    );
  return Promise.all(
    paths.map(async (path) => ({ path, source: await readFile(`${REPOSITORY}/${path}`, 'utf8') })),
  );
}

/** Functions that may write outside `changeAccess`, with the reason why they change nobody's access. */
const EXCEPT: Readonly<Record<string, string>> = {
  'passwords.ts setPasswordHash': 'the hash stands for the same password',
  'insert-member.ts insertEnrolment':
    'the member, the account and the membership are all new, so that no node knows them',
  'settle-restored.ts settleMembers':
    'no node runs, and the log of access changes begins anew with the last write',
  'settle-restored.ts settleImported':
    'no node runs, and the log of access changes begins anew with the last write',
};

/** `StaffTransaction` is an `AccessTransaction` in which authority as staff may change, too. */
const ACCESS_HANDLES: ReadonlySet<string | undefined> = new Set(['AccessTransaction', 'StaffTransaction']);

describe('data that decides about access', () => {
  it('is written only through an access transaction, in every query of this package', async () => {
    const files = (await readdir(QUERIES, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    const writes = await Promise.all(
      files.map(async (file) =>
        listGuardedWrites(await readFile(`${QUERIES}/${file}`, 'utf8')).map((write) => ({ file, ...write })),
      ),
    );
    const guarded = writes.flat().filter(({ file, within }) => !(`${file} ${within}` in EXCEPT));
    expect(guarded.length).toBeGreaterThan(15);
    expect(guarded.filter(({ handle }) => !ACCESS_HANDLES.has(handle))).toEqual([]);
  });

  it('is written by no other package, none of which builds statements', async () => {
    const sources = await shippedSources();
    expect(sources.length).toBeGreaterThan(400);
    const withTables = sources.filter(({ source }) => /\.tables\b/.test(source));
    expect(withTables.map(({ path }) => path)).toEqual([]);
    const writes = sources.flatMap(({ path, source }) =>
      listGuardedWrites(source).map((write) => ({ path, ...write })),
    );
    expect(writes).toEqual([]);
  });

  it('is recognized in every form in which a query may write it', () => {
    const handleOf = (body: string) =>
      listGuardedWrites(`function query(tx: Database, { id }: { id: number }) { ${body} }`).map(
        ({ what }) => what,
      );
    expect(handleOf('tx.update(members).set({ roleType: 1 }).where(x)')).toEqual([
      'update members (roleType)',
    ]);
    expect(handleOf('tx.update(tx.tables.members).set(values)')).toHaveLength(1);
    expect(handleOf('tx.update(members).set({ ...values })')).toHaveLength(1);
    expect(handleOf('tx.update(members)')).toHaveLength(1);
    expect(handleOf('tx.insertOnce(memberships, row)')).toEqual(['insertOnce memberships (all)']);
    expect(handleOf('tx.delete(tx.tables.personnelGrants)')).toEqual(['delete personnelGrants (all)']);
    expect(handleOf('const f = () => tx.update(accounts).set({ isDeleted: true })')).toHaveLength(1);
    expect(handleOf('tx.update(members).set({ lastLoginAtMs: 1 })')).toEqual([]);
    expect(handleOf('tx.update(sessions).set({ endedAtMs: 1 })')).toEqual([]);
  });
});
