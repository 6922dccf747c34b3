import { createRequire } from 'node:module';
import { join } from 'node:path';
import { blockOf } from '@gatehouse/testkit';
import { FRAMEWORKS } from './frameworks.js';

const guide = (text: string) => blockOf('packages/client-sdk/README.md', text);

/**
 * The TypeScript of a component of Vue, whose template is parsed too.
 * @param inlineTemplate whether the template is in it, so that it can be shown; compilers of types accept it only without
 */
function scriptOfVue(source: string, inlineTemplate = false): string {
  const vue = createRequire(join(FRAMEWORKS, 'vue/package.json'))('vue/compiler-sfc') as {
    parse: (text: string) => { descriptor: object; errors: readonly Error[] };
    compileScript: (descriptor: object, options: object) => { content: string };
  };
  const { descriptor, errors } = vue.parse(source);
  if (errors[0] !== undefined) throw errors[0];
  return vue.compileScript(descriptor, { id: 'sign-in', inlineTemplate }).content;
}

/** The component for Vue, to be shown. */
export const vueComponent = () => scriptOfVue(guide('<script setup'), true);

/** The examples of the package's README and its guides as files. A block is found by its language and the name behind it. */
export const EXAMPLES = {
  'browser.ts': guide('ts browser\n'),
  'cookie.ts': guide('ts cookie\n'),
  'steps.ts': guide('ts steps\n'),
  'nextjs/gatehouse.ts': guide('ts nextjs/gatehouse.ts\n'),
  'nextjs/proxy.ts': guide('ts nextjs/proxy.ts\n'),
  'reactrouter/gatehouse.server.ts': guide('ts reactrouter/gatehouse.server.ts\n'),
  'reactrouter/sign-in.tsx': guide('tsx reactrouter/sign-in.tsx\n'),
  'reactrouter/home.tsx': guide('tsx reactrouter/home.tsx\n'),
  'sveltekit/hooks.server.ts': guide('ts sveltekit/hooks.server.ts\n'),
  'sveltekit/page.server.ts': guide('ts sveltekit/page.server.ts\n'),
  'express/gatehouse.ts': guide('ts express/gatehouse.ts\n'),
  'hooks.tsx': guide('tsx hooks.tsx\n'),
  'vue/use-session.ts': guide('ts vue/use-session.ts\n'),
  'vue/sign-in.ts': scriptOfVue(guide('<script setup')),
  'members.tsx': guide('tsx members\n'),
  'node.ts': guide('ts node\n'),
  'native.ts': guide('ts native\n'),
  'social.ts': guide('ts social\n'),
  'invitations.ts': guide('ts invitations\n'),
  'accounts.ts': guide('ts accounts\n'),
  'billing.ts': guide('ts billing\n'),
  'own-api/express.ts': blockOf('docs/your-own-api.md', 'ts own-api/express.ts'),
  'own-api/verify.ts': blockOf('docs/your-own-api.md', 'ts own-api/verify.ts'),
  'own-api/page.ts': blockOf('docs/your-own-api.md', 'ts own-api/page.ts'),
  'own-api/offline.ts': blockOf('docs/your-own-api.md', 'ts own-api/offline.ts'),
  'own-api/test.ts': blockOf('docs/your-own-api.md', 'ts own-api/test.ts'),
  'passkeys.ts': blockOf('docs/passkeys.md', 'ts passkeys\n'),
};
