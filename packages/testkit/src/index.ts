import './provided-context.js';

export { createAccessScene, SCENE_PASSWORD } from './access-loss/access-scene.js';
export { type AccessWorld, startAccessWorld } from './access-loss/access-world.js';
export { beginLateRequest } from './access-loss/begin-late-request.js';
export { dumpEffects } from './access-loss/dump-effects.js';
export type { GuardedCall } from './access-loss/guarded-call.js';
export { SHARED_CALLS } from './access-loss/shared-calls.js';
export {
  walkKeptAccess,
  walkLateBodies,
  walkLateTransactions,
  walkLossesMeanwhile,
  walkSlowReads,
} from './access-loss/walk-access-losses.js';
export { walkForeignPages, walkSideBySide } from './access-loss/walk-foreign-pages.js';
export { blockOf, hasText, samplesOf } from './block-of.js';
export { createAttestationChain } from './create-attestation-chain.js';
export {
  type AuthenticatorFault,
  type AuthenticatorKey,
  cborArray,
  cborBytes,
  createAuthenticator,
  type SoftwareAuthenticator,
  type SoftwarePasskey,
} from './create-authenticator.js';
export { createReplacedDatabase, type ReplacedTestDatabase } from './create-replaced-database.js';
export { createServingUser, type ServingUser } from './create-serving-user.js';
export { developmentEnvironment } from './development-environment.js';
export { findFreePort } from './find-free-port.js';
export type { MariadbInstallation } from './find-mariadb.js';
export { fromBase32 } from './from-base32.js';
export { type Hammer, type HammeredCaller, type HammerReport, startHammer } from './hammer.js';
export { insertTestMember, type TestMember, type TestMemberOptions } from './insert-test-member.js';
export { printMeasurements } from './measure-paint.js';
export { RAW_REQUESTS, rawAnswerFlaw, sendRaw } from './raw-requests.js';
export { type OutboxMail, readOutbox } from './read-outbox.js';
export { isStressRun, rounds } from './rounds.js';
export { seedTestDatabase } from './seed-test-database.js';
export { sendRequest, type TestRequest } from './send-request.js';
export { unsettled } from './settle.js';
export { dashboardQueries, readAlertRules } from './shown-queries.js';
export { type SignedInMember, signIn, signInByPassword } from './sign-in.js';
export { type SpawnedService, spawnService } from './spawn-service.js';
export { type ExampleProgram, startExample } from './start-example.js';
export {
  type PrivateMariadb,
  type PrivateMariadbOptions,
  startPrivateMariadb,
} from './start-private-mariadb.js';
export { type PrivateRedis, startPrivateRedis } from './start-private-redis.js';
export { type RunningService, type StartOptions, startService } from './start-service.js';
export { testConfig, testEnvironment } from './test-config.js';
export { createTestDatabase, type TestDatabase, type TestDialect } from './test-database.js';
export { createTestFolder, type TestFolder } from './test-files.js';
export { isProxied, putProxyInFront, type TestProxy } from './test-proxy.js';
