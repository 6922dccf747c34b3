import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { createElement, type FunctionComponent } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { createMainClient, localStore } from './main.js';
import { GatehouseProvider, type Me, useAccount, useMe, usePermission, useSession } from './react.js';
import { serve, type Visitor } from './test/server-request.js';

const password = 'Lantern-Harbor-42';

/** What every hook says, as text. */
const Everything: FunctionComponent = () => {
  const said = {
    isSignedIn: useSession().isSignedIn,
    email: useMe().me?.member.email,
    account: useAccount().account?.accountName,
    mayList: usePermission('member.list'),
  };
  return createElement('p', null, JSON.stringify(said));
};

/** A common mistake of modules: one client for everybody for whom the server renders. */
const client = createMainClient({ url: 'http://127.0.0.1:1', store: localStore() });

function render(initial?: { me: Me | null; accountId?: number | null }): unknown {
  const app = createElement(GatehouseProvider, { client, initial }, createElement(Everything));
  const text = renderToString(app)
    .replace(/<\/?p>/g, '')
    .replaceAll('&quot;', '"');
  return JSON.parse(text);
}

describe('the hooks on a server', () => {
  it('know only the initial state, and call nothing', () => {
    expect(render()).toEqual({});
    expect(render({ me: null })).toEqual({ isSignedIn: false, mayList: false });
  });

  it("show no visitor another's data in 1,000 interleaved renders of one module", async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
    const { url } = service;
    const people = ['owner@acme.test', 'owner@birch.test'];
    const visitors = await Promise.all(
      people.map(async (email) => {
        const visitor: Visitor = new Map();
        await serve(visitor, (gatehouse) => gatehouse.signIn({ email, password }), { url });
        return visitor;
      }),
    );
    const page = (who: number) =>
      serve(
        visitors[who] ?? new Map(),
        async ({ api, accountId }) => render({ me: await api.session.me.query(), accountId }),
        { url, isRender: true },
      );
    const expected = [await page(0), await page(1)];
    expect(expected).toMatchObject(people.map((email) => ({ isSignedIn: true, email, mayList: true })));
    for (let begun = 0; begun < 1000; begun += 50) {
      const pages = Array.from({ length: 50 }, async (_, index) => {
        expect(await page(index % 2)).toEqual(expected[index % 2]);
      });
      await Promise.all(pages);
    }
  });

  it('report a missing provider', () => {
    expect(() => renderToString(createElement(Everything))).toThrow('Put a GatehouseProvider around');
  });
});
