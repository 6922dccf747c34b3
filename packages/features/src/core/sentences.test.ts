import { router as adminRouter } from '@gatehouse/api-admin/router';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { toFailure } from '@gatehouse/http/server/request-failure';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { expect, it } from 'vitest';
import { z } from 'zod';

const objectSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) });

const HOSTILE = [
  '',
  ' ',
  '\0',
  'x'.repeat(5_000),
  -1,
  0,
  1.5,
  1e300,
  true,
  null,
  [],
  [null],
  {},
  [{}],
  undefined,
];

const OF_A_VALIDATOR = /\bexpected\b|Invalid|Too (small|big)|[<>]=/;

it('no procedure shows people the words of its validator', () => {
  const raw: string[] = [];
  let told = 0;
  for (const { name, input } of [mainRouter, adminRouter].flatMap((router) => listProcedures(router))) {
    if (input === undefined) continue;
    const { properties } = objectSchema.parse(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
    const inputs = Object.keys(properties).flatMap((field) => HOSTILE.map((value) => ({ [field]: value })));
    for (const wrong of [...HOSTILE, ...inputs]) {
      const { error } = input.safeParse(wrong);
      for (const { path, message } of error ? (toFailure(error).issues ?? []) : []) {
        told += 1;
        if (!/^[A-Z]/.test(message) || OF_A_VALIDATOR.test(message)) raw.push(`${name} ${path}: ${message}`);
      }
    }
  }
  expect(raw).toEqual([]);
  expect(told).toBeGreaterThan(1_000);
});
