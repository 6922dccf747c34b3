export { printFigures } from './print-figures.js';
export { rounds } from './rounds.js';
export { type SignedInMember, signIn } from './sign-in.js';
export { type RunningService, type StartOptions, startService, testConfig, type TestRequest } from './start-service.js';
