import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Version } from '@cyclonedx/cyclonedx-library/Spec';
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

const sbomShape = z.object({
  metadata: z.object({ component: z.object({ 'bom-ref': z.string() }) }),
  components: z.array(
    z.object({
      'bom-ref': z.string(),
      type: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

let text: string;
let sbom: z.infer<typeof sbomShape>;

beforeAll(async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const { stdout } = await run(process.execPath, ['--import', 'tsx', main], {
    cwd: root,
    maxBuffer: 10_000_000,
  });
  text = stdout;
  sbom = sbomShape.parse(JSON.parse(text));
});

const isOurs = (ref: string): boolean => ref.startsWith('pkg:npm/%40gatehouse/');

it('the bill of materials matches the schema of CycloneDX 1.6', async () => {
  expect(await new JsonStrictValidator(Version.v1dot6).validate(text)).toBeNull();
});

it("the bill of materials names what the services load and the pages contain, each once with the registry's digest", () => {
  const refs = sbom.components.map((component) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  for (const name of ['express', 'mysql2', 'libsql', 'bcrypt', '%40xmldom/xmldom', 'react-dom', 'preact'])
    expect(refs).toContainEqual(expect.stringMatching(new RegExp(`^pkg:npm/${name}@\\d`)));
  expect(refs.filter((ref) => /\/(vitest|next|typescript|tsx|vite|%40types\/[^/]+)@/.test(ref))).toEqual([]);
  const withoutDigest = sbom.components.filter(
    ({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''),
  );
  expect(withoutDigest.map((component) => component['bom-ref']).filter((ref) => !isOurs(ref))).toEqual([]);
});

it('the bill of materials says which package needs which, so that each can be reached from what runs', () => {
  const needs = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set<string>();
  const open = [sbom.metadata.component['bom-ref']];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (reached.has(ref)) continue;
    reached.add(ref);
    open.push(...(needs.get(ref) ?? []));
  }
  expect([...needs.keys()].filter((ref) => !reached.has(ref))).toEqual([]);
  expect(sbom.components.filter((component) => !reached.has(component['bom-ref']))).toEqual([]);
});
