import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands.js';
import { explainFailure } from '../explain-failure.js';
import { nearestName } from '../nearest-name.js';
import { mails } from './mails.js';

/** No database is configured, so a command that starts its work fails here. */
const env = { DATABASE_URL: 'file:/dev/null/none.db', NODE_ENV: 'test' };

async function run(name: string, ...args: string[]) {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const command = COMMANDS.find((each) => each.name === name);
  const code = await command?.run({ args, env, say, draw: say });
  return { code, said: said.join('\n') };
}

describe.each(COMMANDS.map(({ name, summary }) => ({ name, summary })))(
  'gatehouse $name',
  ({ name, summary }) => {
    it.each([['--help'], ['-h'], ['something', '--help', '--nonsense']])(
      'explains itself and does nothing: %s',
      async (...args) => {
        const { code, said } = await run(name, ...args);
        expect(code).toBe(0);
        expect(said).toContain(summary);
        expect(said).toContain(`usage: gatehouse ${name}`);
        expect(said).toMatch(/--help +print this and do nothing/);
      },
    );

    it('answers an unknown option with a sentence and the known ones, and exits with 2', async () => {
      const { code, said } = await run(name, '--nonsense');
      expect(code).toBe(2);
      expect(said).toMatch(
        new RegExp(
          `^gatehouse ${name}: there is no option --nonsense\\. It takes .*--help\\.\\nusage: gatehouse ${name}`,
        ),
      );
      expect(said).not.toMatch(/Error|positional/);
    });
  },
);

describe('the suggestion for an unknown name', () => {
  it('differs by one letter that is added, missing, changed or swapped, or by two of these in a long name', () => {
    const names = COMMANDS.map(({ name }) => name);
    const meant = ['migarte', 'mail', 'imports', 'docter', 'create-persnonel', 'prune-audits'];
    expect(meant.map((name) => nearestName(name, names))).toEqual([
      'migrate',
      'mails',
      'import',
      'doctor',
      'create-personnel',
      'prune-audit',
    ]);
    expect(['delete', 'x', 'mgirtae'].map((name) => nearestName(name, names))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a wrong option', () => {
  it('is answered with the most similar one', async () => {
    expect((await run('import', '--dryrun', 'rows')).said).toContain('Did you mean --dry-run?');
    expect((await run('seed-load', '--member=5')).said).toContain('Did you mean --members?');
  });

  it('is a missing or extra value, or words that are not accepted', async () => {
    expect(await run('seed-load', '--members')).toMatchObject({
      code: 2,
      said: expect.stringMatching(
        /^gatehouse seed-load: Option '--members <value>' argument missing\.\nusage/,
      ),
    });
    expect(await run('import', '--dry-run=yes', 'rows')).toMatchObject({ code: 2 });
    expect(await run('migrate', 'now')).toMatchObject({ code: 2 });
    expect(await run('import')).toMatchObject({
      code: 2,
      said: expect.stringContaining('something is missing.'),
    });
  });
});

describe('a command that fails', () => {
  it('says which file does not exist', async () => {
    const context = { args: ['nothing-here.ndjson'], env, say: () => undefined, draw: () => undefined };
    const failure: unknown = await COMMANDS.find(({ name }) => name === 'import')
      ?.run(context)
      .catch((error: unknown) => error);
    expect(explainFailure(failure, { env })).toMatch(/^There is no file \/.*nothing-here\.ndjson\.$/);
  });

  it('says that the database cannot be opened, and why', async () => {
    const context = { args: ['list'], env, say: () => undefined, draw: () => undefined };
    const failure: unknown = await mails.run(context).catch((error: unknown) => error);
    expect(explainFailure(failure, { env })).toMatch(
      /^The database \/dev\/null\/none\.db cannot be opened \(E\w+\): let this user read and write it/,
    );
  });
});
