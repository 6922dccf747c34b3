export {
  accountsOf,
  createSessionView,
  type InitialSession,
  type Me,
  type SessionState,
  type SessionView,
} from './session-view.js';
