import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { createSocialBrowser } from '@gatehouse/features/test/social-browser';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { developmentEnvironment, type RunningService, readOutbox, startService } from '@gatehouse/testkit';
import type { AdminClient } from '../admin.js';
import type { MainClient } from '../main.js';
import { type FirstWave, loadFirstWave } from './load-first-wave.js';

export const PASSWORD = 'Lantern-Harbor-42';

/** The services of today over the demonstration's data, and the client of the first wave. */
export interface FirstWaveWorld extends AsyncDisposable {
  readonly wave: FirstWave;
  readonly main: RunningService;
  readonly admin: RunningService;
  /** A client of the main service, signed in: by default as the owner of account 1. */
  member(email?: string): Promise<MainClient>;
  /** A client of the admin service, signed in: by default as staff of role 0. */
  staff(email?: string): Promise<AdminClient>;
  /** Somebody new, with an account of their own. */
  registered(): Promise<{ email: string; userId: number; accountId: number; gatehouse: MainClient }>;
  /** The newest mail of a kind to an address. */
  mail(to: string, kind: string): Promise<{ token: string; text: string }>;
  /** Goes to a provider and back, and returns the URL the browser ends at. */
  visit(url: string, decision?: 'allow' | 'deny'): Promise<URL>;
}

export async function startFirstWaveWorld(): Promise<FirstWaveWorld> {
  const wave = await loadFirstWave();
  const simulator = await startProviderSimulator();
  const env = { ...developmentEnvironment(), ...providerEnvironment(simulator.url) };
  const main = await startService(createApp, { dialect: 'libsql', application: 'web', env });
  const { database } = main;
  const admin = await startService(createAdminApp, {
    dialect: 'libsql',
    application: 'admin',
    env,
    database,
  });
  const browser = createSocialBrowser(main);
  let people = 0;
  return {
    wave,
    main,
    admin,
    async member(email = 'owner@acme.test') {
      const gatehouse = wave.createMainClient({ url: main.url });
      await gatehouse.signIn({ email, password: PASSWORD });
      return gatehouse;
    },
    async staff(email = 'root@gatehouse.test') {
      const gatehouse = wave.createAdminClient({ url: admin.url });
      await gatehouse.signIn({ email, password: PASSWORD });
      return gatehouse;
    },
    async registered() {
      people += 1;
      const gatehouse = wave.createMainClient({ url: main.url });
      const [username, email] = [`person${people}`, `person${people}@wave.test`];
      const person = { username, email, password: PASSWORD };
      const { token = '', userId, accountId } = await gatehouse.api.registration.register.mutate(person);
      gatehouse.adoptToken(token);
      return { email, userId, accountId, gatehouse };
    },
    async mail(to, kind) {
      const found = (await readOutbox(main)).find((mail) => mail.to === to && mail.kind === kind);
      if (found === undefined) throw new Error(`no ${kind} to ${to}`);
      return found;
    },
    visit: (url, decision = 'allow') => browser.visit(url, { decision }),
    async [Symbol.asyncDispose]() {
      for (const part of [admin, main, simulator, wave]) await part[Symbol.asyncDispose]();
    },
  };
}
