import { describe, expect, it } from 'vitest';
import { describeRouter } from './describe-router.js';

const ROUTER = `export declare const router: import("@trpc/server").TRPCBuiltRouter<{
    meta: object;
}, import("@trpc/server").TRPCDecorateCreateRouterOptions<{
    member: {
        list: Procedure<{ input: { id: number } }>;
    };
    ping: Procedure<object>;
}>>;
`;

describe('the description of a router', () => {
  it('stands above each procedure and nowhere else', () => {
    const described = describeRouter(
      ROUTER,
      new Map([
        ['member.list', 'Lists.\n\nOpen to */ anyone.'],
        ['ping', 'Pings.'],
      ]),
    );
    expect(described).toContain(
      `    member: {
        /**
         * Lists.
         *
         * Open to *\\/ anyone.
         */
        list: Procedure<`,
    );
    expect(described).toContain('    /**\n     * Pings.\n     */\n    ping:');
    expect(described.match(/\/\*\*/g)).toHaveLength(2);
  });

  it('replaces the helper that computes a record by the computed record', () => {
    const descriptions = new Map([
      ['member.list', 'Lists.'],
      ['ping', 'Pings.'],
    ]);
    const described = describeRouter(ROUTER, descriptions);
    expect(described.replaceAll(/ *\/\*\*[^/]*\*\/\n/g, '')).toBe(
      ROUTER.replace('import("@trpc/server").TRPCDecorateCreateRouterOptions<', '').replace('}>>;', '}>;'),
    );
  });

  it('is refused when a procedure has none', () => {
    expect(() => describeRouter(ROUTER, new Map([['ping', 'Pings.']]))).toThrow(
      'Nothing describes member.list',
    );
  });
});
