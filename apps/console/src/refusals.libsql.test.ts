import { readdir, readFile } from 'node:fs/promises';
import { router } from '@gatehouse/api-admin/router';
import { expect, it } from 'vitest';
import { z } from 'zod';

/** The codes with which every guard may refuse. */
const OF_GUARDS = ['unauthorized', 'permission_denied', 'account_forbidden', 'enrolment_required'];

const definition = z.object({ meta: z.object({ about: z.object({ refuses: z.array(z.string()) }) }) });

/** The codes that a procedure says it refuses with. */
function refusalsOf(procedure: unknown): readonly string[] {
  if (typeof procedure !== 'function' || !('_def' in procedure)) return [];
  return definition.safeParse(procedure._def).data?.meta.about.refuses ?? [];
}

async function readSources(): Promise<string> {
  const names = await readdir(import.meta.dirname, { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'));
  return (
    await Promise.all(sources.map((name) => readFile(`${import.meta.dirname}/${name}`, 'utf8')))
  ).join();
}

it('the console explains every refusal of the service in its own words', async () => {
  const called = new Set(
    [...(await readSources()).matchAll(/\b(\w+)\.(\w+)\.(?:query|mutate)\(/g)].map(([, ...names]) =>
      names.join('.'),
    ),
  );
  const procedures = Object.entries(router._def.procedures).filter(([name]) => called.has(name));
  expect(procedures.length).toBeGreaterThan(40);
  const codes = new Set([...OF_GUARDS, ...procedures.flatMap(([, procedure]) => refusalsOf(procedure))]);
  expect(codes.size).toBeGreaterThan(15);
  for (const language of ['en', 'de']) {
    const file = new URL(`../../../packages/ui/src/failure/messages/${language}.json`, import.meta.url);
    const words = Object.keys(JSON.parse(await readFile(file, 'utf8')) as object);
    const wordless = [...codes].filter((code) => !words.includes(`refusal.${code}`));
    expect([language, wordless]).toEqual([language, []]);
  }
});
