export { isUnavailable } from './errors.js';
export type { Permission } from './main.js';
export { createTestVerifier } from './verify/test-verifier.js';
export {
  type AccessRefused,
  type AnyRequest,
  isAccessRefused,
  type Verified,
  type VerifiedCaller,
  type Verifier,
} from './verify/verified.js';
export { createVerifier, type VerifierOptions } from './verify/verifier.js';
